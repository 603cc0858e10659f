#include "apps/arcade/reproduce.h"

namespace ntune::arcade {

namespace {

constexpr PublishedTable2 kTable2[] = {
    {Game::kPlanetWars, "vanilla", 100, 0.655, 0.079, -0.185, {-0.203, -0.167}, 0.6},
    {Game::kPlanetWars, "linear", 100, 0.615, 0.111, 0.187, {0.164, 0.211}, 0.44},
    {Game::kPlanetWars, "inverse", 100, 0.630, 0.110, 0.086, {0.061, 0.107}, 0.53},
    {Game::kPlanetWars, "inverse_root", 100, 0.633, 0.097, -0.017, {-0.036, 0.001}, 0.51},
    {Game::kPlanetWars, "exponential", 100, 0.643, 0.091, 0.130, {0.107, 0.151}, 0.58},
    {Game::kAsteroids, "vanilla", 62, 9596, 67, -709, {-741, -680}, 0.94},
    {Game::kAsteroids, "linear", 66, 9577, 87, 129, {104, 155}, 0.88},
    {Game::kAsteroids, "inverse", 68, 9584, 77, -27, {-52, -3}, 0.87},
    {Game::kAsteroids, "inverse_root", 69, 9563, 118, -248, {-274, -222}, 0.81},
    {Game::kAsteroids, "exponential", 67, 9570, 82, 104, {80, 125}, 0.87},
};

constexpr PublishedTable3 kTable3[] = {
    {Game::kPlanetWars, "vanilla", 20, 1000, 0.707, 0.772},
    {Game::kPlanetWars, "linear", 20, 1000, 0.679, 0.752},
    {Game::kPlanetWars, "inverse", 20, 1000, 0.694, 0.788},
    {Game::kPlanetWars, "inverse_root", 20, 1000, 0.712, 0.762},
    {Game::kPlanetWars, "exponential", 20, 1000, 0.681, 0.774},
    {Game::kPlanetWars, "vanilla", 7, 3000, 0.709, 0.762},
    {Game::kPlanetWars, "linear", 7, 3000, 0.718, 0.762},
    {Game::kPlanetWars, "inverse", 7, 3000, 0.708, 0.762},
    {Game::kPlanetWars, "inverse_root", 7, 3000, 0.714, 0.760},
    {Game::kPlanetWars, "exponential", 7, 3000, 0.735, 0.774},
    {Game::kPlanetWars, "vanilla", 2, 10000, 0.717, 0.756},
    {Game::kPlanetWars, "linear", 2, 10000, 0.736, 0.748},
    {Game::kPlanetWars, "inverse", 2, 10000, 0.747, 0.756},
    {Game::kPlanetWars, "inverse_root", 2, 10000, 0.740, 0.756},
    {Game::kPlanetWars, "exponential", 2, 10000, 0.748, 0.770},
    {Game::kPlanetWars, "vanilla", 1, 20000, 0.708, 0.708},
    {Game::kPlanetWars, "linear", 1, 20000, 0.640, 0.640},
    {Game::kPlanetWars, "inverse", 1, 20000, 0.674, 0.674},
    {Game::kPlanetWars, "inverse_root", 1, 20000, 0.732, 0.732},
    {Game::kPlanetWars, "exponential", 1, 20000, 0.632, 0.632},
    {Game::kAsteroids, "vanilla", 20, 1000, 9701, 9815},
    {Game::kAsteroids, "linear", 20, 1000, 9655, 9776},
    {Game::kAsteroids, "inverse", 20, 1000, 9706, 9803},
    {Game::kAsteroids, "inverse_root", 20, 1000, 9702, 9811},
    {Game::kAsteroids, "exponential", 20, 1000, 9620, 9819},
    {Game::kAsteroids, "vanilla", 7, 3000, 9707, 9804},
    {Game::kAsteroids, "linear", 7, 3000, 9764, 9804},
    {Game::kAsteroids, "inverse", 7, 3000, 9778, 9835},
    {Game::kAsteroids, "inverse_root", 7, 3000, 9736, 9817},
    {Game::kAsteroids, "exponential", 7, 3000, 9758, 9818},
    {Game::kAsteroids, "vanilla", 2, 10000, 9705, 9705},
    {Game::kAsteroids, "linear", 2, 10000, 9612, 9709},
    {Game::kAsteroids, "inverse", 2, 10000, 9801, 9804},
    {Game::kAsteroids, "inverse_root", 2, 10000, 9814, 9817},
    {Game::kAsteroids, "exponential", 2, 10000, 9762, 9779},
    {Game::kAsteroids, "vanilla", 1, 20000, 9735, 9735},
    {Game::kAsteroids, "linear", 1, 20000, 9783, 9783},
    {Game::kAsteroids, "inverse", 1, 20000, 9783, 9783},
    {Game::kAsteroids, "inverse_root", 1, 20000, 9815, 9815},
    {Game::kAsteroids, "exponential", 1, 20000, 9815, 9815},
};

}  // namespace

std::span<const PublishedTable2> published_table_2() { return kTable2; }
std::span<const PublishedTable3> published_table_3() { return kTable3; }

}  // namespace ntune::arcade
