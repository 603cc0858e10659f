// The tables of Optuna's RDBStorage, as releases 3.0 to 5.0 make them in SQLite.

#include <sqlite3.h>

#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/study/export/export_optuna.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTables = R"sql(
CREATE TABLE studies (
  study_id INTEGER NOT NULL PRIMARY KEY, study_name VARCHAR(512) NOT NULL);
CREATE UNIQUE INDEX ix_studies_study_name ON studies (study_name);
CREATE TABLE version_info (
  version_info_id INTEGER NOT NULL PRIMARY KEY, schema_version INTEGER,
  library_version VARCHAR(256), CHECK (version_info_id = 1));
CREATE TABLE study_directions (
  study_direction_id INTEGER NOT NULL PRIMARY KEY, direction VARCHAR(8) NOT NULL,
  study_id INTEGER NOT NULL, objective INTEGER NOT NULL, UNIQUE (study_id, objective),
  FOREIGN KEY (study_id) REFERENCES studies (study_id));
CREATE TABLE study_user_attributes (
  study_user_attribute_id INTEGER NOT NULL PRIMARY KEY, study_id INTEGER, "key" VARCHAR(512),
  value_json TEXT, UNIQUE (study_id, "key"),
  FOREIGN KEY (study_id) REFERENCES studies (study_id));
CREATE TABLE study_system_attributes (
  study_system_attribute_id INTEGER NOT NULL PRIMARY KEY, study_id INTEGER, "key" VARCHAR(512),
  value_json TEXT, UNIQUE (study_id, "key"),
  FOREIGN KEY (study_id) REFERENCES studies (study_id));
CREATE TABLE trials (
  trial_id INTEGER NOT NULL PRIMARY KEY, number INTEGER, study_id INTEGER,
  state VARCHAR(8) NOT NULL, datetime_start DATETIME, datetime_complete DATETIME,
  FOREIGN KEY (study_id) REFERENCES studies (study_id));
CREATE TABLE trial_user_attributes (
  trial_user_attribute_id INTEGER NOT NULL PRIMARY KEY, trial_id INTEGER, "key" VARCHAR(512),
  value_json TEXT, UNIQUE (trial_id, "key"),
  FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
CREATE TABLE trial_system_attributes (
  trial_system_attribute_id INTEGER NOT NULL PRIMARY KEY, trial_id INTEGER, "key" VARCHAR(512),
  value_json TEXT, UNIQUE (trial_id, "key"),
  FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
CREATE TABLE trial_params (
  param_id INTEGER NOT NULL PRIMARY KEY, trial_id INTEGER, param_name VARCHAR(512),
  param_value FLOAT, distribution_json TEXT, UNIQUE (trial_id, param_name),
  FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
CREATE TABLE trial_values (
  trial_value_id INTEGER NOT NULL PRIMARY KEY, trial_id INTEGER NOT NULL,
  objective INTEGER NOT NULL, value FLOAT, value_type VARCHAR(7) NOT NULL,
  UNIQUE (trial_id, objective), FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
CREATE TABLE trial_intermediate_values (
  trial_intermediate_value_id INTEGER NOT NULL PRIMARY KEY, trial_id INTEGER NOT NULL,
  step INTEGER NOT NULL, intermediate_value FLOAT, intermediate_value_type VARCHAR(7) NOT NULL,
  UNIQUE (trial_id, step), FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
CREATE TABLE trial_heartbeats (
  trial_heartbeat_id INTEGER NOT NULL PRIMARY KEY, trial_id INTEGER NOT NULL,
  heartbeat DATETIME NOT NULL, UNIQUE (trial_id),
  FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
CREATE TABLE alembic_version (
  version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));
)sql";

/// Optuna refuses the revision of another release; the tables differ in the index alone.
constexpr const char* kRevision31 =
    "INSERT INTO version_info VALUES (1, 12, '3.1.0');"
    "INSERT INTO alembic_version VALUES ('v3.0.0.d');";
constexpr const char* kRevision32 =
    "CREATE INDEX trials_study_id_key ON trials (study_id);"
    "INSERT INTO version_info VALUES (1, 12, '3.2.0');"
    "INSERT INTO alembic_version VALUES ('v3.2.0.a');";

/// Refuses what SQLite cannot do.
[[noreturn]] void fail(const fs::path& file, const std::string& reason) {
  throw InputError(fmt::format("{}: cannot write it: {}", path_text(file), printable(reason)));
}

/// A connection, with a transaction open.
class Database {
 public:
  /// `file` for messages. A file that nobody else sees needs no journal: half-written it is thrown
  /// away.
  enum class Seen { kByNobody, kByOthers };
  Database(const std::string& name, fs::path file, Seen seen = Seen::kByNobody)
      : file_(std::move(file)) {
    constexpr int kPatience = 60'000;  // milliseconds, for readers
    check(sqlite3_open_v2(name.c_str(), &handle_, SQLITE_OPEN_READWRITE, nullptr));
    check(sqlite3_busy_timeout(handle_, kPatience));
    if (seen == Seen::kByNobody) execute("PRAGMA journal_mode = OFF");
    execute("PRAGMA cache_size = -65536; BEGIN");
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const char* sql) { check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr)); }
  void check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_DONE) return;
    fail(file_, handle_ != nullptr ? sqlite3_errmsg(handle_) : "not enough memory");
  }
  [[nodiscard]] sqlite3* handle() const { return handle_; }

 private:
  fs::path file_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement; call it with the values of a row.
class Statement {
 public:
  Statement(Database& database, const char* sql) : database_(database) {
    database_.check(sqlite3_prepare_v2(database_.handle(), sql, -1, &handle_, nullptr));
  }
  ~Statement() { sqlite3_finalize(handle_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  template <class... Values>
  void operator()(const Values&... values) {
    int column = 0;
    (bind(++column, values), ...);
    database_.check(sqlite3_step(handle_));
    database_.check(sqlite3_reset(handle_));
  }

 private:
  void bind(int column, std::int64_t value) {
    database_.check(sqlite3_bind_int64(handle_, column, value));
  }
  void bind(int column, double value) {
    database_.check(sqlite3_bind_double(handle_, column, value));
  }
  /// The text must last until the row is written.
  void bind(int column, std::string_view text) {
    database_.check(sqlite3_bind_text(handle_, column, text.data(), static_cast<int>(text.size()),
                                      SQLITE_STATIC));
  }

  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

/// "2026-11-21T09:15:02" with a blank in the middle.
std::string sql_time(std::string time) {
  if (const std::size_t at = time.find('T'); at != std::string::npos) time[at] = ' ';
  return time;
}

/// The rows of a study and its trials.
class TrialTables {
 public:
  TrialTables(Database& database, const Study& study)
      : database_(database), numbers_(study.objectives.size(), 0) {
    for (const StudyObjective& entry : study.objectives) add_space(entry.objective->space());
  }

  /// Adds a study of Optuna for each objective, with its direction and attributes.
  static void add_studies(Database& database, const Study& study) {
    Statement studies(database, "INSERT INTO studies VALUES (?, ?)");
    Statement directions(
        database, "INSERT INTO study_directions (direction, study_id, objective) VALUES (?, ?, ?)");
    Statement attributes(
        database,
        "INSERT INTO study_user_attributes (study_id, \"key\", value_json) VALUES (?, ?, ?)");
    for (std::size_t i = 0; i < study.objectives.size(); ++i) {
      const std::int64_t id = static_cast<std::int64_t>(i) + 1;
      studies(id, optuna_name(study, i));
      std::int64_t goal = 0;
      for (const bool is_cost : are_costs(*study.objectives[i].objective)) {
        directions(is_cost ? "MINIMIZE" : "MAXIMIZE", id, goal++);
      }
      for (const auto& [name, value] : optuna_study_attributes(study)) attributes(id, name, value);
    }
  }

  void add(const OptunaTrial& trial) {
    // A trial is a row of its own, and one for each value, parameter and attribute.
    const std::int64_t id = ++trials_made_;
    trials_(id, numbers_[trial.objective]++, static_cast<std::int64_t>(trial.objective) + 1,
            !trial.values.empty() ? "COMPLETE"
            : trial.pruned        ? "PRUNED"
                                  : "FAIL",
            sql_time(trial.start), sql_time(trial.complete));
    std::int64_t goal = 0;
    for (const double value : trial.values) values_(id, goal++, value, "FINITE");
    const Space& space = spaces_[trial.objective];
    for (int i = 0; i < trial.point.size(); ++i) {
      if (!space.space->is_active(trial.point, i)) continue;
      const auto& [name, distribution] = space.parameters[static_cast<std::size_t>(i)];
      params_(id, name, space.text.internal_value(i, trial.point[i]), distribution);
    }
    for (const auto& [name, value] : trial.attributes) attributes_(id, name, value);
  }

 private:
  struct Space {
    const SearchSpace* space = nullptr;
    TrialText text;
    std::vector<std::pair<std::string, std::string>> parameters;  ///< names and distributions
  };

  void add_space(const SearchSpace& space) {
    Space columns{.space = &space, .text = TrialText(space), .parameters = {}};
    for (int i = 0; i < space.dimensions(); ++i) {
      columns.parameters.emplace_back(space[i].name, columns.text.distribution(i).dump());
    }
    spaces_.push_back(std::move(columns));
  }

  Database& database_;
  std::vector<Space> spaces_;          ///< per objective
  std::vector<std::int64_t> numbers_;  ///< of the next trial, per objective
  std::int64_t trials_made_ = 0;
  Statement trials_{database_, "INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?)"};
  Statement values_{database_,
                    "INSERT INTO trial_values (trial_id, objective, value, value_type) "
                    "VALUES (?, ?, ?, ?)"};
  Statement params_{database_,
                    "INSERT INTO trial_params (trial_id, param_name, param_value, "
                    "distribution_json) VALUES (?, ?, ?, ?)"};
  Statement attributes_{database_,
                        "INSERT INTO trial_user_attributes (trial_id, \"key\", value_json) "
                        "VALUES (?, ?, ?)"};
};

/// Replaces the file by the tables of a study, with what `fill` adds to them.
template <class Fill>
void replace_file(const fs::path& file, const Study& study, OptunaSchema schema, const Fill& fill) {
  ReplacementFile temporary(file);
  {
    Database database(temporary.name(), file);
    database.execute(kTables);
    database.execute(schema == OptunaSchema::k31 ? kRevision31 : kRevision32);
    TrialTables::add_studies(database, study);
    fill(database);
    database.execute("COMMIT");
  }
  temporary.take_place();
}

/// A file that others read meanwhile: rows are seen once they are committed.
class FollowedTables final : public FollowedFile {
 public:
  FollowedTables(const fs::path& file, const Study& study)
      : database_(file.string(), file, Database::Seen::kByOthers), tables_(database_, study) {}

  void add(const OptunaTrial& trial) override { tables_.add(trial); }
  void commit() override { database_.execute("COMMIT; BEGIN"); }

 private:
  Database database_;
  TrialTables tables_;
};

}  // namespace

ExportSummary export_optuna_sqlite(const RecordedStudy& recorded, const ExportOptions& options,
                                   const fs::path& file) {
  const Study& study = recorded.study();
  ExportSummary summary;
  replace_file(file, study, options.schema, [&](Database& database) {
    TrialTables tables(database, study);
    summary = for_each_optuna_trial(recorded, options,
                                    [&](const OptunaTrial& trial) { tables.add(trial); });
  });
  return summary;
}

std::unique_ptr<FollowedFile> follow_optuna_sqlite(const fs::path& file, const Study& study,
                                                   OptunaSchema schema) {
  replace_file(file, study, schema, [](Database&) {});
  return std::make_unique<FollowedTables>(file, study);
}

}  // namespace ntune
