import { importOptional } from '../../platform/import-optional.ts';
import { requireNative } from '../../platform/native-package.ts';
import type { Device } from './device.ts';

/** What runs a model: onnxruntime. */
export type InferenceRuntime = typeof import('onnxruntime-common');

const packageName = 'onnxruntime-node';

/**
 * Loads the inference runtime. For another device than the processor the user's own installation comes first: only it
 * can have the libraries of that device.
 */
export function loadRuntime(neededBy: string, device: Device = 'cpu'): Promise<InferenceRuntime> {
  return importOptional(
    packageName,
    neededBy,
    async () => requireNative<InferenceRuntime>(packageName, device === 'cpu' ? 'carried' : 'installed'),
    `npm install --ignore-scripts ${packageName}`,
  );
}
