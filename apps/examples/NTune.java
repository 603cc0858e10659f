import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

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
 * <p>On a machine without ntune the same program works for a study that another one serves: {@link #worker}
 * in place of the constructor.
 *
 * <p>Every answer is checked: what ntune refuses is an IllegalStateException with its reason, and so is an
 * ntune that has ended. Its own messages appear on the standard error. Threads may share a study.
 */
public final class NTune implements AutoCloseable {
  /**
   * An evaluation to be made: values by name, the seed of its random numbers, its instance or null. In a
   * study of matches `opponent` is the other player, else null. `games` are those of a match with seats, else
   * there are none.
   */
  public record Trial(long id, Map<String, Object> params, long seed, Object instance, String stage,
      Trial opponent, List<Game> games, AtomicBoolean hasLooked) {
    /** The other player of a match, by the same names. */
    public Trial opponent() {
      hasLooked.set(true);
      return opponent;
    }

    /** To be played with the player in every seat, and told by {@link NTune#tellSeats}. */
    public List<Game> games() {
      hasLooked.set(true);
      return games;
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

  /** A game of a match with seats: the seed of its random numbers, and the player in every seat. */
  public record Game(long seed, List<Trial> seats) {}

  /** What has become of a game with seats, as JSON: see ranks, scores and winner. */
  public record Result(String json) {}

  /** The place of every seat, the lower the better; equal places are level. */
  public static Result ranks(long... places) {
    return new Result("{\"ranks\":" + Arrays.toString(places) + "}");
  }

  /** The points of every seat, the higher the better. */
  public static Result scores(double... points) {
    return new Result("{" + listed("scores", points) + "}");
  }

  /** The seat that has won, from 1, or the seats that share the win; none of them: nobody has won. */
  public static Result winner(long... seats) {
    return new Result("{\"winner\":" + Arrays.toString(seats) + "}");
  }

  /**
   * The best values so far and what the model of the search believes them to be worth. At the end,
   * `last`, also the mean of fresh evaluations; else NaN.
   */
  public record Recommendation(Map<String, Object> params, double estimate, double value, boolean last) {}

  private final Link link;

  private NTune(Link link) {
    this.link = link;
  }

  /** Starts `ntune serve STUDY.yaml …`, given word by word. */
  public NTune(String... command) throws IOException {
    this(new Program(command));
  }

  /**
   * Evaluates for a study with `ask_tell:` that `ntune serve --listen` serves, until it is done. `token` is the
   * token file and `study` the study file, copies of the server's; `program` is the file of this program, such
   * as its jar. The server refuses another study, and another program than that of its first worker. What is
   * silent is evaluated by others; so answers may come too late, and are left out.
   */
  public static NTune worker(String url, Path token, Path study, Path program) throws IOException {
    return new NTune(new Fleet(url, token, study, program));
  }

  /** The next evaluation; null: the study is done. Refused while too many are in flight. */
  public Trial ask() throws IOException {
    Map<String, Object> answer = call("{\"op\":\"ask\"}");
    if (answer.containsKey("done")) return null;
    if (answer.containsKey("wait")) {
      throw new IllegalStateException("tell of one of these evaluations first: " + answer.get("wait"));
    }
    Trial opponent = answer.containsKey("opponent") ? player(answer, answer.get("opponent")) : null;
    List<Game> games = new ArrayList<>();
    for (Object game : answer.containsKey("games") ? get(answer, "games", List.class) : List.of()) {
      List<Trial> seats = new ArrayList<>();
      for (Object seat : get(object(game, answer), "seats", List.class)) seats.add(player(answer, seat));
      games.add(new Game(get(object(game, answer), "seed", Long.class), List.copyOf(seats)));
    }
    return trial(answer, params(answer), opponent, List.copyOf(games));
  }

  /** Somebody who takes part in an evaluation. */
  private static Trial player(Map<String, Object> answer, Object params) {
    return trial(answer, object(params, answer), null, List.of());
  }

  private static Trial trial(Map<String, Object> answer, Map<String, Object> params, Trial opponent,
      List<Game> games) {
    return new Trial(get(answer, "id", Long.class), params, get(answer, "seed", Long.class),
        answer.get("instance"), get(answer, "stage", String.class), opponent, games, new AtomicBoolean());
  }

  /**
   * The payoff of an evaluation, or the payoffs of its games. Refused for a match whose opponent the
   * program has never looked at: it cannot have played it.
   */
  public void tell(Trial trial, double... values) throws IOException {
    tell(trial, listed("values", values), "");
  }

  /** The same in a budget of costs, with what it cost. */
  public void tell(Trial trial, double[] values, double cost) throws IOException {
    tell(trial, listed("values", values), ",\"cost\":" + finite(cost));
  }

  /** Counts of games; `pairs` are how many pairs had 0, 1/2, 1, 3/2 and 2 points, both colours of an opening. */
  public void tellGames(Trial trial, long wins, long draws, long losses, long... pairs) throws IOException {
    tell(trial, counted(wins, draws, losses), listed(pairs));
  }

  /** The same in a budget of costs, with what the games cost; `pairs` may be empty. */
  public void tellGames(Trial trial, long wins, long draws, long losses, long[] pairs, double cost)
      throws IOException {
    tell(trial, counted(wins, draws, losses), listed(pairs) + ",\"cost\":" + finite(cost));
  }

  /** What has become of each of `trial.games()`, in their order. */
  public void tellSeats(Trial trial, List<Result> results) throws IOException {
    tell(trial, listed(results), "");
  }

  /** The same in a budget of costs, with what the games cost. */
  public void tellSeats(Trial trial, List<Result> results, double cost) throws IOException {
    tell(trial, listed(results), ",\"cost\":" + finite(cost));
  }

  private void tell(Trial trial, String result, String more) throws IOException {
    if (trial.opponent != null && !trial.hasLooked().get()) {
      throw new IllegalStateException("evaluation " + trial.id() + " is a match, to be played against opponent()");
    }
    told(trial, "{\"op\":\"tell\",\"id\":" + trial.id() + "," + result + more + "}", "told");
  }

  private static String listed(String key, double[] values) {
    StringJoiner list = new StringJoiner(",", "\"" + key + "\":[", "]");
    for (double value : values) list.add(finite(value));
    return list.toString();
  }

  private static String listed(List<Result> results) {
    StringJoiner list = new StringJoiner(",", "\"games\":[", "]");
    for (Result result : results) list.add(result.json());
    return list.toString();
  }

  private static String counted(long wins, long draws, long losses) {
    return "\"wins\":" + wins + ",\"draws\":" + draws + ",\"losses\":" + losses;
  }

  private static String listed(long[] pairs) {
    return pairs.length == 0 ? "" : ",\"pentanomial\":" + Arrays.toString(pairs);
  }

  private static String finite(double value) {
    if (!Double.isFinite(value)) throw new IllegalArgumentException("a payoff or cost is " + value);
    return Double.toString(value);
  }

  /** The evaluation has failed. What becomes of that is the study's key `fail`. */
  public void fail(Trial trial, String reason) throws IOException {
    fail(trial, reason, "");
  }

  /** The same in a budget of costs, with what it cost. */
  public void fail(Trial trial, String reason, double cost) throws IOException {
    fail(trial, reason, ",\"cost\":" + finite(cost));
  }

  private void fail(Trial trial, String reason, String more) throws IOException {
    told(trial, "{\"op\":\"fail\",\"id\":" + trial.id() + ",\"reason\":" + quoted(reason) + more + "}", "failed");
  }

  /** The best by all that was told. Refused where nothing was, and to a worker. */
  public Recommendation recommend() throws IOException {
    Map<String, Object> answer = call("{\"op\":\"recommend\"}");
    double value = answer.get("value") instanceof Number mean ? mean.doubleValue() : Double.NaN;
    return new Recommendation(params(answer), get(answer, "estimate", Number.class).doubleValue(), value,
        get(answer, "final", Boolean.class));
  }

  /**
   * Ends ntune. With `--out` the same command goes on where this one was. A worker gives back what it has not
   * told.
   */
  @Override
  public void close() throws IOException {
    link.close();
  }

  private void told(Trial trial, String request, String key) throws IOException {
    long id = get(call(request), key, Long.class);
    if (id != trial.id()) throw new IllegalStateException("ntune has taken evaluation " + id + " for " + trial.id());
  }

  private Map<String, Object> call(String request) throws IOException {
    return link.call(request);
  }

  private static Map<String, Object> checked(String line) {
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

  /** What answers requests. */
  private interface Link {
    Map<String, Object> call(String request) throws IOException;

    void close() throws IOException;
  }

  /** ntune as a process of this one. */
  private static final class Program implements Link {
    private final Process ntune;
    private final BufferedWriter requests;
    private final BufferedReader answers;

    Program(String... command) throws IOException {
      ntune = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      requests = ntune.outputWriter(StandardCharsets.UTF_8);
      answers = ntune.inputReader(StandardCharsets.UTF_8);
    }

    @Override
    public synchronized Map<String, Object> call(String request) {
      String line = null;
      try {
        requests.write(request + "\n");
        requests.flush();
        line = answers.readLine();
      } catch (IOException broken) {
        // As where there is no answer.
      }
      if (line == null) throw new IllegalStateException("ntune has ended; its last words are on the standard error");
      return checked(line);
    }

    @Override
    public void close() {
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
  }

  /** ntune on another machine, by messages of HTTP. */
  private static final class Fleet implements Link {
    private static final double PATIENCE = 300; // seconds

    /** An evaluation that is made here: the text of its request, and when it was begun. */
    private record Held(String request, long begin) {}

    private final URL url;
    private final String word;
    private final SSLSocketFactory sockets;
    private final String identity;
    private final Map<Object, Held> held = new ConcurrentHashMap<>();
    private volatile long number = -1;
    private volatile double lease;
    private volatile boolean isClosed;

    Fleet(String address, Path token, Path study, Path program) throws IOException {
      URI place = URI.create(address);
      String[] secret = Files.readString(token).split("\n", 2);
      boolean isSafe = "https".equals(place.getScheme());
      if (!isSafe && !List.of("localhost", "127.0.0.1", "[::1]").contains(String.valueOf(place.getHost()))) {
        throw new IllegalStateException(address + " would send the token for all to read; https:// is allowed");
      }
      url = place.resolve("/").toURL();
      word = secret[0].trim();
      sockets = isSafe ? socketsTo(secret[1]) : null;
      identity = "{\"op\":\"join\",\"name\":" + quoted(InetAddress.getLocalHost().getHostName()) + ",\"cores\":"
          + Runtime.getRuntime().availableProcessors() + ",\"study\":\"" + digest(study) + "\",\"program\":\""
          + digest(program) + "\"}";
      join(-1);
      Thread renewing = new Thread(this::renew);
      renewing.setDaemon(true);
      renewing.start();
    }

    @Override
    public Map<String, Object> call(String request) throws IOException {
      Map<String, Object> asked = object(new Json(request).whole(), request);
      if (asked.get("op").equals("ask")) return take();
      Held begun = asked.containsKey("id") ? held.get(asked.get("id")) : null;
      if (begun == null) throw new IllegalStateException("there is no open evaluation: " + request);
      double seconds = 1e-9 * (System.nanoTime() - begun.begin());
      exchange("\"op\":\"answer\",\"answer\":{\"lease\":" + asked.get("id") + ",\"request\":"
          + quoted(begun.request()) + ",\"told\":" + request + ",\"seconds\":" + seconds + "}");
      held.remove(asked.get("id"));
      return Map.of(asked.get("op").equals("tell") ? "told" : "failed", asked.get("id"));
    }

    @Override
    public void close() {
      isClosed = true;
      try {
        send("{\"op\":\"leave\",\"worker\":" + number + "}");
      } catch (IOException ended) {
        // So has the server.
      }
    }

    private Map<String, Object> take() throws IOException {
      while (true) {
        Map<String, Object> answer = exchange("\"op\":\"work\",\"wait\":1");
        if (answer.containsKey("done")) return answer;
        if (!answer.containsKey("lease")) continue;
        long id = get(answer, "lease", Long.class);
        held.put(id, new Held(get(answer, "request", String.class), System.nanoTime()));
        Map<String, Object> trial = object(answer.get("trial"), answer);
        trial.put("id", id);
        return trial;
      }
    }

    /** As a worker that the server knows: one that was started anew has forgotten it. */
    private Map<String, Object> exchange(String fields) throws IOException {
      while (true) {
        long before = number;
        Map<String, Object> answer = post("{\"worker\":" + before + "," + fields + "}");
        if (!answer.containsKey("unknown")) return answer;
        join(before);
      }
    }

    private synchronized void join(long before) throws IOException {
      if (number != before) return;
      Map<String, Object> answer = post(identity);
      lease = get(answer, "lease", Number.class).doubleValue();
      number = get(answer, "worker", Long.class);
    }

    /** Keeps what is evaluated here. */
    private void renew() {
      while (!isClosed) {
        pause(Math.min(2, lease / 4));
        try {
          send("{\"op\":\"renew\",\"worker\":" + number + ",\"leases\":" + held.keySet() + "}");
        } catch (IOException | IllegalStateException error) {
          // The next one may arrive.
        }
      }
    }

    /** The answer to a message, which is sent again for as long as there is patience. */
    private Map<String, Object> post(String message) throws IOException {
      long begin = System.nanoTime();
      for (double wait = 0.1; ; wait = Math.min(2 * wait, 10)) {
        try {
          return send(message);
        } catch (SSLHandshakeException other) {
          throw new IllegalStateException(url + ": the server has another certificate than that of the token file");
        } catch (IOException silent) {
          if (1e-9 * (System.nanoTime() - begin) + wait > PATIENCE) throw silent;
        }
        pause(wait);
      }
    }

    private Map<String, Object> send(String message) throws IOException {
      HttpURLConnection connection = (HttpURLConnection) url.openConnection();
      if (connection instanceof HttpsURLConnection safe) {
        safe.setSSLSocketFactory(sockets);
        safe.setHostnameVerifier((host, session) -> true); // it is known by its certificate alone
      }
      connection.setConnectTimeout(20_000);
      connection.setReadTimeout(20_000);
      connection.setDoOutput(true);
      connection.setRequestProperty("Authorization", "Bearer " + word);
      connection.getOutputStream().write(message.getBytes(StandardCharsets.UTF_8));
      if (connection.getResponseCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
        throw new IllegalStateException(url + ": the server has another token");
      }
      try (InputStream answer = connection.getInputStream()) {
        return checked(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
      }
    }

    private static void pause(double seconds) {
      try {
        Thread.sleep(Math.round(1000 * seconds));
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException(interrupted);
      }
    }

    /** FNV-1a of 64 bits, by which the server knows a file. */
    private static String digest(Path file) throws IOException {
      long value = 0xcbf29ce484222325L;
      for (byte one : Files.readAllBytes(file)) value = (value ^ (one & 0xff)) * 0x100000001b3L;
      return String.format("%016x", value);
    }

    /** Connections to whoever shows this certificate, and to nobody else. */
    private static SSLSocketFactory socketsTo(String certificate) throws IOException {
      try {
        KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
        known.load(null, null);
        known.setCertificateEntry("ntune", CertificateFactory.getInstance("X.509").generateCertificate(
            new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(known);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context.getSocketFactory();
      } catch (GeneralSecurityException error) {
        throw new IllegalStateException("the token file has no certificate", error);
      }
    }
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
