import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Drives a study from inside a program: java AskTell.java NTUNE serve STUDY.yaml [--out DIR ...] */
public class AskTell {
  /** Your program: a win is 1, a loss 0. */
  static int play(double depth, double c, double level, long seed) {
    double strength = 0.8 - 0.1 * Math.abs(depth - 6) - 0.2 * Math.abs(c - 1.4) - 0.05 * level;
    return new Random(seed).nextDouble() < strength ? 1 : 0;
  }

  /** The number that stands behind a name; a JSON library does this better. */
  static double number(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":(-?[0-9.eE+-]+)").matcher(json);
    if (!found.find()) throw new IllegalArgumentException(name + " is not in " + json);
    return Double.parseDouble(found.group(1));
  }

  /** The answer, unless it is an error. */
  static String checked(String answer) {
    if (answer == null || answer.contains("\"error\"")) throw new IllegalStateException("ntune: " + answer);
    return answer;
  }

  public static void main(String[] command) throws IOException {
    Process ntune = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    PrintWriter out = new PrintWriter(ntune.outputWriter(), true);
    BufferedReader in = ntune.inputReader();
    out.println("{\"op\": \"ask\"}");
    for (String work = in.readLine(); !checked(work).contains("\"done\""); work = in.readLine()) {
      // Where the study has `instances: [0, 2, 4]`.
      double level = work.contains("\"instance\"") ? number(work, "instance") : 0;
      int value = play(number(work, "depth"), number(work, "c"), level, (long) number(work, "seed"));
      out.println("{\"op\": \"tell\", \"id\": " + (long) number(work, "id") + ", \"value\": " + value + "}");
      checked(in.readLine());
      out.println("{\"op\": \"ask\"}");
    }
    out.println("{\"op\": \"recommend\"}");
    System.out.println(checked(in.readLine()));
  }
}
