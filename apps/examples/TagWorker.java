import core.AbstractGameState;
import core.AbstractPlayer;
import core.CoreConstants.GameResult;
import core.Game;
import games.GameType;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import players.PlayerFactory;

/**
 * Plays games of TAG (Tabletop Games) with the agents that ntune asks for. It needs the JDK and TAG alone.
 *
 * <pre>
 * javac -cp TAG.jar -d classes TagWorker.java
 * objective: {command: [java, -cp, "TAG.jar:classes", TagWorker, TicTacToe, "2"], protocol: worker}
 * </pre>
 *
 * <p>A request is a line such as {"id": 17, "seed": 12345, "instance": "osla", "params": {"class":
 * "players.mcts.MCTSParams", "K": 1.0, "heuristic.class": "…"}}. Names with points are nested, and texts that
 * are objects or lists of JSON become these, as in TAG's own files. A name or a value that TAG does not know is an
 * error; TAG would pass over it. The agent plays a game in every seat from one start. The random numbers of all players
 * are other ones in each game, and come from the seed. The instance is whom it plays against: a word of TAG's
 * PlayerFactory, such as osla, or a file of an agent; without an instance it is random.
 *
 * <p>With `objective: {match: {…}, players: 3}` a request has `seats`, the agents of all seats, in place of `params`.
 * They play one game, and the answer has their ranks.
 */
public final class TagWorker {
  // Texts are long where an agent has a learned heuristic: what repeats gives nothing back.
  private static final String TEXT = "\"((?:[^\"\\\\]|\\\\.)*+)\"";
  private static final Pattern FIELD = Pattern.compile(TEXT + "\\s*:\\s*(" + TEXT + "|[^\\s,{}\"]+)");
  private static final String OBJECT = "\\{((?:[^{}\"]|" + TEXT + ")*+)\\}";
  private static final Pattern SEAT = Pattern.compile(OBJECT);
  private static final Pattern SEATS =
      Pattern.compile("\"seats\"\\s*:\\s*\\[((?:[^\\[\\]\"]|" + TEXT + ")*+)\\]");
  private static final Pattern PARAMS = Pattern.compile("\"params\"\\s*:\\s*" + OBJECT);
  // Agents that know no seed get one, too.
  private static final Pattern PASSED_OVER =
      Pattern.compile("(?m)^(?:Unexpected key in JSON.* : (?!randomSeed$)|Warning: parsing param ).*");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(u([0-9a-fA-F]{4})|.)");

  private final GameType game;
  private final int players;

  private TagWorker(GameType game, int players) {
    this.game = game;
    this.players = players;
  }

  /** The fields of a flat object of JSON; their values as they are written. */
  private static Map<String, String> fields(String object) {
    Map<String, String> fields = new LinkedHashMap<>();
    Matcher match = FIELD.matcher(object);
    while (match.find()) fields.put(decoded(match.group(1)), match.group(2));
    return fields;
  }

  /** What a text of JSON says between its quotes. */
  private static String decoded(String text) {
    return ESCAPE.matcher(text).replaceAll(match -> {
      if (match.group(2) != null) {
        return Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(match.group(2), 16)));
      }
      int place = "bfnrt".indexOf(match.group(1));
      return Matcher.quoteReplacement(place < 0 ? match.group(1) : "\b\f\n\r\t".substring(place, place + 1));
    });
  }

  private static String unquoted(String value) {
    return value.startsWith("\"") ? decoded(value.substring(1, value.length() - 1)) : value;
  }

  /** The agent as TAG reads it: names with points are nested, texts that are objects or lists are these. */
  private static String agent(Map<String, String> params) {
    Map<String, Object> tree = new LinkedHashMap<>();
    params.forEach((name, value) -> {
      String text = unquoted(value);
      put(tree, name, text.startsWith("{") || text.startsWith("[") ? text : value);
    });
    return text(tree);
  }

  @SuppressWarnings("unchecked")
  private static void put(Map<String, Object> tree, String name, String value) {
    int point = name.indexOf('.');
    if (point < 0) {
      tree.put(name, value);
    } else {
      Object inner = tree.computeIfAbsent(name.substring(0, point), key -> new LinkedHashMap<String, Object>());
      if (!(inner instanceof Map)) throw new IllegalArgumentException(name + " lies in what is no object");
      put((Map<String, Object>) inner, name.substring(point + 1), value);
    }
  }

  @SuppressWarnings("unchecked")
  private static String text(Object value) {
    if (!(value instanceof Map)) return (String) value;
    StringJoiner object = new StringJoiner(", ", "{", "}");
    ((Map<String, Object>) value).forEach((name, inner) -> object.add(quoted(name) + ": " + text(inner)));
    return object.toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ") + '"';
  }

  /** The player with random numbers of its own; else they come from the time. */
  private static AbstractPlayer seeded(AbstractPlayer player, int seed) {
    player.getParameters().setRandomSeed(seed);
    player.getRnd().setSeed(seed);
    return player;
  }

  /** The player of an object of JSON, with this seed in place of the object's. */
  private static AbstractPlayer player(String object, int seed) throws IOException {
    Path file = Files.createTempFile("agent", ".json");
    try {
      Files.writeString(file, object.substring(0, object.lastIndexOf('}')) + ", \"randomSeed\": " + seed + "}");
      return seeded(PlayerFactory.createPlayer(file.toString()), seed);
    } finally {
      Files.delete(file);
    }
  }

  private static AbstractPlayer opponent(String name, int seed) throws IOException {
    Path file = Path.of(name);
    return Files.isRegularFile(file)
        ? player(Files.readString(file), seed)
        : seeded(PlayerFactory.createPlayer(name), seed);
  }

  /** The player of an object, if TAG knows all that is in it: TAG says what it passes over, and goes on. */
  private static AbstractPlayer checked(String object, int seed) throws IOException {
    PrintStream out = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    AbstractPlayer player;
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      player = player(object, seed);
    } finally {
      System.setOut(out);
    }
    Matcher passed = PASSED_OVER.matcher(said.toString(StandardCharsets.UTF_8));
    if (passed.find()) throw new IllegalArgumentException("TAG says: " + passed.group());
    return player;
  }

  /** Points of a game: 1, 1/2 or 0. */
  private double play(int seat, String agent, String opponent, long start, Random random) throws IOException {
    List<AbstractPlayer> seats = new ArrayList<>();
    for (int i = 0; i < players; i++) {
      int seed = random.nextInt(Integer.MAX_VALUE);
      seats.add(i == seat ? checked(agent, seed) : opponent(opponent, seed));
    }
    return points(end(seats, start), seat);
  }

  /** How a game ends that these players play. */
  private AbstractGameState end(List<AbstractPlayer> seats, long start) {
    Game played = game.createGameInstance(seats.size(), start);
    played.reset(seats, start);
    played.run();
    return played.getGameState();
  }

  private static double points(AbstractGameState end, int seat) {
    GameResult result = end.getPlayerResults()[seat];
    return switch (result) {
      case WIN_GAME -> 1.0;
      case DRAW_GAME -> 0.5;
      case LOSE_GAME, DISQUALIFY -> 0.0;
      default -> throw new IllegalStateException("a game has ended with " + result);
    };
  }

  /** One game of the agents in all seats: their places, of which TAG's own are from 1. */
  private String ranks(String agents, Random random) throws IOException {
    long start = random.nextLong();
    List<AbstractPlayer> seats = new ArrayList<>();
    Matcher each = SEAT.matcher(agents);
    while (each.find()) seats.add(checked(agent(fields(each.group(1))), random.nextInt(Integer.MAX_VALUE)));
    AbstractGameState end = end(seats, start);
    StringJoiner list = new StringJoiner(", ", "\"ranks\": [", "]");
    for (int seat = 0; seat < seats.size(); seat++) {
      points(end, seat); // a game without an end is an error
      boolean isOut = end.getPlayerResults()[seat] == GameResult.DISQUALIFY;
      list.add(Integer.toString(isOut ? seats.size() : end.getOrdinalPosition(seat)));
    }
    return list.toString();
  }

  /** A game in every seat, or one of all seats. */
  private String evaluate(String request, Map<String, String> head) throws IOException {
    Random random = new Random(Long.parseLong(head.get("seed")));
    Matcher seats = SEATS.matcher(request);
    if (seats.find()) return ranks(seats.group(1), random);
    Matcher params = PARAMS.matcher(request);
    if (!params.find()) throw new IllegalArgumentException("the request has no params");
    String opponent = head.containsKey("instance") ? unquoted(head.get("instance")) : "random";
    // The seats share a start, as both colours of an opening do; other evaluations have others.
    long start = random.nextLong();
    String agent = agent(fields(params.group(1)));
    double[] points = new double[players];
    for (int seat = 0; seat < players; seat++) points[seat] = play(seat, agent, opponent, start, random);
    return players == 2 ? games(points) : values(points);
  }

  private static String games(double[] points) {
    int[] count = new int[3];
    for (double score : points) count[(int) (2 * score)]++;
    return "\"wins\": " + count[2] + ", \"draws\": " + count[1] + ", \"losses\": " + count[0];
  }

  private static String values(double[] points) {
    StringJoiner list = new StringJoiner(", ", "\"values\": [", "]");
    for (double score : points) list.add(Double.toString(score));
    return list.toString();
  }

  private String answer(String request) {
    // What stands beside the parameters is of the evaluation.
    Map<String, String> head = fields(SEATS.matcher(PARAMS.matcher(request).replaceFirst("")).replaceFirst(""));
    String result;
    try {
      result = evaluate(request, head);
    } catch (Exception | AssertionError error) {
      // TAG reports wrong files by AssertionError.
      result = "\"error\": " + quoted(error.toString());
    }
    return "{\"id\": " + head.get("id") + ", " + result + "}";
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      System.err.println("usage: TagWorker GAME PLAYERS, such as TagWorker TicTacToe 2");
      System.exit(2);
    }
    TagWorker worker = new TagWorker(GameType.valueOf(arguments[0]), Integer.parseInt(arguments[1]));
    // TAG prints by itself, which is no answer.
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err);
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String request = requests.readLine(); request != null; request = requests.readLine()) {
      answers.println(worker.answer(request));
    }
  }
}
