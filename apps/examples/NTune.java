import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets a program ask ntune what to try next. Copy this file into your sources: it needs the standard
 * library of Java 17 alone.
 *
 * <pre>{@code
 * try (NTune study = new NTune("ntune", "serve", "study.yaml", "--out", "results")) {
 *   for (NTune.Trial trial = study.ask(); trial != null; trial = study.ask()) {
 *     study.tell(trial, play(trial.integer("depth"), trial.number("c"), trial.seed()));
 *   }
 *   System.out.println(study.recommend().params());
 * }
 * }</pre>
 *
 * <p>Every answer is checked: what ntune refuses is an IllegalStateException with its reason, and so is an
 * ntune that has ended. Its own messages appear on the standard error. Threads may share a study.
 */
public final class NTune implements AutoCloseable {
  /**
   * An evaluation to be made: values by name, the seed of its random numbers, its instance or null. In a
   * study of matches `opponent` is the other player, else null.
   */
  public record Trial(long id, Map<String, Object> params, long seed, Object instance, String stage,
      Trial opponent, AtomicBoolean hasLooked) {
    /** The other player of a match, by the same names. */
    public Trial opponent() {
      hasLooked.set(true);
      return opponent;
    }

    /** A whole number. Throws IllegalArgumentException if the parameter is none. */
    public int integer(String name) {
      if (value(name) instanceof Long whole) return Math.toIntExact(whole);
      throw new IllegalArgumentException(name + " is no whole number: " + params.get(name));
    }

    public double number(String name) {
      if (value(name) instanceof Number number) return number.doubleValue();
      throw new IllegalArgumentException(name + " is no number: " + params.get(name));
    }

    public boolean truth(String name) {
      if (value(name) instanceof Boolean truth) return truth;
      throw new IllegalArgumentException(name + " is not true or false: " + params.get(name));
    }

    public String text(String name) {
      return String.valueOf(value(name));
    }

    private Object value(String name) {
      if (!params.containsKey(name)) throw new IllegalArgumentException("no parameter " + name + " in " + params);
      return params.get(name);
    }
  }

  /**
   * The best values so far and what the model of the search believes them to be worth. At the end,
   * `last`, also the mean of fresh evaluations; else NaN.
   */
  public record Recommendation(Map<String, Object> params, double estimate, double value, boolean last) {}

  private final Process ntune;
  private final BufferedWriter requests;
  private final BufferedReader answers;

  /** Starts `ntune serve STUDY.yaml …`, given word by word. */
  public NTune(String... command) throws IOException {
    ntune = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    requests = ntune.outputWriter(StandardCharsets.UTF_8);
    answers = ntune.inputReader(StandardCharsets.UTF_8);
  }

  /** The next evaluation; null: the study is done. Refused while too many are in flight. */
  public Trial ask() throws IOException {
    Map<String, Object> answer = call("{\"op\":\"ask\"}");
    if (answer.containsKey("done")) return null;
    if (answer.containsKey("wait")) {
      throw new IllegalStateException("tell of one of these evaluations first: " + answer.get("wait"));
    }
    Trial player = trial(answer, params(answer), null);
    if (!answer.containsKey("opponent")) return player;
    Trial opponent = trial(answer, object(answer.get("opponent"), answer), null);
    return trial(answer, player.params(), opponent);
  }

  private static Trial trial(Map<String, Object> answer, Map<String, Object> params, Trial opponent) {
    return new Trial(get(answer, "id", Long.class), params, get(answer, "seed", Long.class),
        answer.get("instance"), get(answer, "stage", String.class), opponent, new AtomicBoolean());
  }

  /**
   * The payoff of an evaluation, or the payoffs of its games. Refused for a match whose opponent the
   * program has never looked at: it cannot have played it.
   */
  public void tell(Trial trial, double... values) throws IOException {
    if (trial.opponent != null && !trial.hasLooked().get()) {
      throw new IllegalStateException("evaluation " + trial.id() + " is a match, to be played against opponent()");
    }
    StringJoiner list = new StringJoiner(",", "[", "]");
    for (double value : values) {
      if (!Double.isFinite(value)) throw new IllegalArgumentException("a payoff is " + value);
      list.add(Double.toString(value));
    }
    told(trial, "{\"op\":\"tell\",\"id\":" + trial.id() + ",\"values\":" + list + "}", "told");
  }

  /** The evaluation has failed. What becomes of that is the study's key `fail`. */
  public void fail(Trial trial, String reason) throws IOException {
    told(trial, "{\"op\":\"fail\",\"id\":" + trial.id() + ",\"reason\":" + quoted(reason) + "}", "failed");
  }

  /** The best by all that was told. Refused where nothing was. */
  public Recommendation recommend() throws IOException {
    Map<String, Object> answer = call("{\"op\":\"recommend\"}");
    double value = answer.get("value") instanceof Number mean ? mean.doubleValue() : Double.NaN;
    return new Recommendation(params(answer), get(answer, "estimate", Number.class).doubleValue(), value,
        get(answer, "final", Boolean.class));
  }

  /** Ends ntune. With `--out` the same command goes on where this one was. */
  @Override
  public void close() throws IOException {
    try (requests; answers) {
      requests.write("{\"op\":\"quit\"}\n");
    } catch (IOException ended) {
      // It has ended by itself.
    }
    try {
      ntune.waitFor();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void told(Trial trial, String request, String key) throws IOException {
    long id = get(call(request), key, Long.class);
    if (id != trial.id()) throw new IllegalStateException("ntune has taken evaluation " + id + " for " + trial.id());
  }

  private synchronized Map<String, Object> call(String request) throws IOException {
    String line = null;
    try {
      requests.write(request + "\n");
      requests.flush();
      line = answers.readLine();
    } catch (IOException broken) {
      // As where there is no answer.
    }
    if (line == null) throw new IllegalStateException("ntune has ended; its last words are on the standard error");
    Map<String, Object> answer = object(new Json(line).whole(), line);
    if (answer.containsKey("error")) throw new IllegalStateException(String.valueOf(answer.get("error")));
    return answer;
  }

  private static Map<String, Object> params(Map<String, Object> answer) {
    return object(answer.get("params"), answer);
  }

  private static <T> T get(Map<String, Object> answer, String name, Class<T> type) {
    if (type.isInstance(answer.get(name))) return type.cast(answer.get(name));
    throw new IllegalStateException("ntune's answer has no " + name + ": " + answer);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object value, Object answer) {
    if (value instanceof Map) return (Map<String, Object>) value;
    throw new IllegalStateException("not an answer of ntune: " + answer);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') quoted.append('\\');
      quoted.append(c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
    }
    return quoted.append('"').toString();
  }

  /** Reads one value of JSON: maps, lists, String, Long, Double, Boolean and null. */
  private static final class Json {
    private final String text;
    private int at;

    Json(String text) {
      this.text = text;
    }

    Object whole() {
      try {
        Object value = value();
        if (next() == '\0') return value;
      } catch (RuntimeException error) {
        // Said below.
      }
      throw new IllegalStateException("not an answer of ntune: " + text);
    }

    private char next() {
      while (at < text.length() && text.charAt(at) <= ' ') at++;
      return at < text.length() ? text.charAt(at) : '\0';
    }

    /** Takes the character if it is the next one. */
    private boolean takes(char c) {
      if (next() != c) return false;
      at++;
      return true;
    }

    private void need(char c) {
      if (!takes(c)) throw new IllegalArgumentException();
    }

    private Object value() {
      if (takes('{')) return map();
      if (takes('[')) return list();
      if (takes('"')) return string();
      int begin = at;
      while (at < text.length() && ",]}: ".indexOf(text.charAt(at)) < 0) at++;
      String word = text.substring(begin, at);
      return switch (word) {
        case "null" -> null;
        case "true", "false" -> Boolean.valueOf(word);
        default -> word.matches("-?\\d+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
      };
    }

    private Map<String, Object> map() {
      Map<String, Object> map = new LinkedHashMap<>();
      if (takes('}')) return map;
      do {
        need('"');
        String name = string();
        need(':');
        map.put(name, value());
      } while (takes(','));
      need('}');
      return map;
    }

    private List<Object> list() {
      List<Object> list = new ArrayList<>();
      if (takes(']')) return list;
      do {
        list.add(value());
      } while (takes(','));
      need(']');
      return list;
    }

    private String string() {
      StringBuilder string = new StringBuilder();
      for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
        string.append(c == '\\' ? escaped() : c);
      }
      return string.toString();
    }

    private char escaped() {
      char c = text.charAt(at++);
      if (c == 'u') {
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      int place = "bfnrt".indexOf(c);
      return place < 0 ? c : "\b\f\n\r\t".charAt(place);
    }
  }
}
