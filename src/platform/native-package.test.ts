import { expect, test } from 'vitest';
import { requireNative } from './native-package.ts';

test.each(['carried', 'installed'] as const)(
  'the runtime is there without an install of its own (%s)',
  (prefer) => {
    const runtime = requireNative<{ InferenceSession: unknown }>('onnxruntime-node', prefer);
    expect(runtime.InferenceSession).toBeDefined();
  },
);

test('a package that is neither carried nor installed is an error', () => {
  expect(() => requireNative('no-such-package')).toThrow('no-such-package');
});
