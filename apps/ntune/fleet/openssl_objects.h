#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>

// Objects of OpenSSL that free themselves.
namespace ntune::cli::openssl {

template <auto kFree>
struct Free {
  template <class Type>
  void operator()(Type* object) const {
    kFree(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Memory = std::unique_ptr<BIO, Free<BIO_free>>;

}  // namespace ntune::cli::openssl
