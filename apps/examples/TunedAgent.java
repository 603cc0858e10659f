import java.io.IOException;
import java.util.Random;

/** An agent that tunes itself: java -cp CLASSES TunedAgent ntune serve STUDY.yaml [--out DIR …] */
public final class TunedAgent {
  private TunedAgent() {}

  /** Your program: a win is 1, a loss 0. */
  static int play(int depth, double c, double level, long seed) {
    double strength = 0.8 - 0.1 * Math.abs(depth - 6) - 0.2 * Math.abs(c - 1.4) - 0.05 * level;
    return new Random(seed).nextDouble() < strength ? 1 : 0;
  }

  public static void main(String[] command) throws IOException {
    try (NTune study = new NTune(command)) {
      for (NTune.Trial trial = study.ask(); trial != null; trial = study.ask()) {
        // Where the study has `instances: [0, 2, 4]`.
        double level = trial.instance() instanceof Number number ? number.doubleValue() : 0;
        study.tell(trial, play(trial.integer("depth"), trial.number("c"), level, trial.seed()));
      }
      System.out.println(study.recommend());
    }
  }
}
