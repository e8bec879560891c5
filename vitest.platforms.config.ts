import { defaultExclude, defineConfig } from 'vitest/config';
import base, { platformTests } from './vitest.config.ts';

/** `npm run test:platforms`: what needs the packages of other platforms, or an emulator to run them. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: platformTests, exclude: defaultExclude },
});
