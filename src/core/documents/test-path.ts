/** Paths of tests, by what people call them in many languages. */
export const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|testdata)\/|[._-](?:test|tests|spec|e2e)\.[^/]+$|(?:^|\/)test_[^/]+\.(?!bash|sh|zsh)[^/.]+$|_test\.[^/]+$|(?:^|\/)[^/]*Tests?\.(?:java|kt|cs|swift|scala|php)$/;
