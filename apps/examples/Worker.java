import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The agent of agent.py as a worker on a JVM that starts once: it answers one request per line.
 *
 * <p>A request is one line such as {"id": 17, "seed": 12345, "params": {"depth": 3, "book": true}}.
 * A program with a JSON library would use it; this one looks for the few numbers and words that it
 * knows.
 *
 * <p>objective: {command: [java, -cp, classes, Worker], protocol: worker}
 */
public final class Worker {
  private Worker() {}

  /** The text of a number or a truth value in the request. */
  private static String field(String request, String name) {
    Matcher match =
        Pattern.compile("\"" + Pattern.quote(name) + "\"\\s*:\\s*(-?[0-9.eE+-]+|true|false)")
            .matcher(request);
    if (!match.find()) throw new IllegalArgumentException("the request has no " + name);
    return match.group(1);
  }

  private static double evaluate(int depth, boolean book, double level, long seed) {
    double wins = (book ? 0.45 : 0.40) + 0.05 * depth - 0.006 * depth * depth - 0.05 * level;
    return new Random(seed).nextDouble() < wins ? 1.0 : 0.0;
  }

  private static String answer(String request) {
    String id = field(request, "id");
    try {
      String params = request.substring(request.indexOf("\"params\""));
      int depth = Integer.parseInt(field(params, "depth"));
      boolean book = Boolean.parseBoolean(field(params, "book"));
      // Where the study has `instances: [0, 2, 4]`.
      boolean named = request.contains("\"instance\"");
      double level = named ? Double.parseDouble(field(request, "instance")) : 0;
      double value = evaluate(depth, book, level, Long.parseLong(field(request, "seed")));
      return "{\"id\": " + id + ", \"value\": " + value + "}";
    } catch (RuntimeException error) {
      String text = error.toString().replaceAll("[\\p{Cntrl}\"\\\\]", " ");
      return "{\"id\": " + id + ", \"error\": \"" + text + "\"}";
    }
  }

  public static void main(String[] arguments) throws IOException {
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String request = requests.readLine(); request != null; request = requests.readLine()) {
      System.out.println(answer(request));
      System.out.flush();
    }
  }
}
