// A library needs a source; this one only has precompiled.h made.
