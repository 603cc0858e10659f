// The compiled part of the package: ntune._ntune. Arguments are checked and named in ntune/*.py.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/python/convert.h"
#include "apps/python/stepper.h"
#include "apps/python/study_session.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/rng.h"
#include "ntune/core/text.h"
#include "ntune/plot/svg.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/page.h"
#include "ntune/space/import/import_space.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/export/export.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/results/result_files.h"
#include "ntune/version.h"

namespace ntune::python {

namespace py = pybind11;

namespace {

using Free = py::call_guard<py::gil_scoped_release>;

/// Ordered as in module.pyi.
py::tuple tuple_of(const Ended& ended) {
  return py::make_tuple(to_python(ended.result), to_python(ended.last), ended.error);
}

void define_errors(py::module_& module) {
  py::register_exception<EvaluationError>(module, "EvaluationError", PyExc_RuntimeError);
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const InputError& wrong) {
      PyErr_SetString(PyExc_ValueError, argument_text(wrong.what()).c_str());
    }
  });
}

void define_spaces(py::module_& module) {
  module.def("read_space", [](const std::string& text, const std::string& name) {
    const SearchSpace space = read_space(read_given(text, name));
    return py::make_tuple(to_python(space_json(space)), space.names(), space.size().points);
  });
  module.def("sample_space", [](const std::string& text, std::int64_t count, std::uint64_t seed) {
    const SearchSpace space = read_space(read_given(text, kArguments));
    Rng rng(seed);
    py::list points;
    for (std::int64_t i = 0; i < count; ++i) {
      points.append(to_python(point_json(space.sample(rng), space)));
    }
    return points;
  });
  module.def("import_space", [](const std::string& file, int points) {
    ImportedSpace imported = import_space(file, {.format = {}, .points = points});
    const YamlNode node = parse_yaml(imported.yaml, file);
    const YamlNode* space = node.find("space");
    return py::make_tuple(to_python(to_json(space == nullptr ? node : *space)), imported.warnings);
  });
}

void define_studies(py::module_& module) {
  py::class_<GivenStudy>(module, "GivenStudy")
      .def(py::init([](std::string text, std::string name, std::string folder, bool resume) {
        return GivenStudy{std::move(text), std::move(name), std::move(folder), resume};
      }))
      .def_readonly("folder", &GivenStudy::folder);
  module.def("read_study", [](const GivenStudy& given) {
    const Study study = read_study_of(given);
    return py::make_tuple(to_python(study.config), total_evaluations(study), is_asked(study));
  });
  py::class_<HeldStudy>(module, "HeldStudy")
      .def(py::init<const std::string&, const std::string&>())
      .def("identity", &HeldStudy::identity)
      .def("carry_out",
           [](const HeldStudy& study, const std::string& request, const std::string& identity) {
             std::string answer;
             {
               const py::gil_scoped_release free;
               answer = study.carry_out(request, identity);
             }
             return py::bytes(answer);
           });
  module.def("read_file",
             [](const std::string& file) { return to_python(to_json(read_yaml(file))); });
  module.def("run", [](const GivenStudy& given, int threads, py::object workers, py::object notify,
                       bool retry_failed) {
    return tuple_of(
        run_given(given, {threads, std::move(workers), std::move(notify), retry_failed}));
  });
  module.def(
      "verify", [](const std::string& folder, const std::string& against,
                   const std::string& options, int threads, py::object workers, py::object notify) {
        return tuple_of(verify_folder(folder, against, given_json(options, "verify"),
                                      {threads, std::move(workers), std::move(notify), false}));
      });
}

void define_stepper(py::module_& module) {
  using Op = ClientRequest::Op;
  const auto step = [](Stepper& stepper, ClientRequest request) {
    const Json answer = [&] {
      const py::gil_scoped_release free;
      return stepper.request(std::move(request));
    }();
    return to_python(answer);
  };
  py::class_<Stepper>(module, "Stepper")
      .def(py::init<const GivenStudy&>(), Free())
      .def("ask", [step](Stepper& stepper) { return step(stepper, {.op = Op::kAsk}); })
      .def("tell",
           [step](Stepper& stepper, std::int64_t id, std::vector<double> values,
                  std::optional<double> cost, bool are_games, const std::string& by_seat) {
             return step(stepper, {.op = Op::kTell,
                                   .id = id,
                                   .values = std::move(values),
                                   .are_games = are_games,
                                   .by_seat = by_seat.empty() ? Json() : parse_json(by_seat),
                                   .cost = cost});
           })
      .def("tell_point",
           [step](Stepper& stepper, const std::string& point, std::vector<double> values,
                  const std::string& instance) {
             return step(stepper, {.op = Op::kTell,
                                   .params = given_json(point, "the point"),
                                   .instance = given_json(instance, "the instance"),
                                   .values = std::move(values)});
           })
      .def("fail",
           [step](Stepper& stepper, std::int64_t id, std::string reason) {
             return step(stepper, {.op = Op::kFail, .id = id, .reason = std::move(reason)});
           })
      .def("recommend", [step](Stepper& stepper) { return step(stepper, {.op = Op::kRecommend}); })
      .def("status", [step](Stepper& stepper) { return step(stepper, {.op = Op::kStatus}); })
      .def("config", [](const Stepper& stepper) { return to_python(stepper.study().config); })
      .def("close", &Stepper::close, Free());
}

void define_reports(py::module_& module) {
  module.def(
      "report",
      [](const std::vector<std::string>& folders, const std::string& file) {
        check_output_file(file);
        std::vector<ReportData> studies;
        for (const std::string& folder : folders) studies.push_back(read_report(folder, {}));
        write_file_atomically(file, report_page(studies));
      },
      Free());
  module.def(
      "figures",
      [](const std::string& folder, const std::string& name) {
        const FigureEntry& entry = find_figure(name);
        std::vector<std::string> pictures;
        for (const Figure& figure : entry.make(read_report(folder, {}))) {
          pictures.push_back(svg_text(figure, {}));
        }
        return pictures;
      },
      Free());
  module.def(
      "export_csv",
      [](const std::string& folder) {
        std::string text;
        export_text(RecordedStudy(folder), {.reported = false},
                    [&](std::string_view piece) { text += piece; });
        return text;
      },
      Free());
}

}  // namespace

PYBIND11_MODULE(_ntune, module) {
  module.attr("__version__") = kVersion;
  module.attr("ARGUMENTS") = kArguments;
  define_errors(module);
  define_spaces(module);
  define_studies(module);
  define_stepper(module);
  define_reports(module);
}

}  // namespace ntune::python
