/** Globs that exclude tests, by the names that languages and frameworks give them. */
export const withoutTests: readonly string[] = [
  '!**/{test,tests,__tests__,spec,specs,e2e,testing,testdata}/**',
  '!*.{test,tests,spec,e2e}.*',
  '!*_{test,tests,spec,e2e}.*',
  '!*-{test,tests,spec,e2e}.*',
  '!test_*.*',
  '!*{Test,Tests}.{java,kt,cs,swift,scala,php}',
];
