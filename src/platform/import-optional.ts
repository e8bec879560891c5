import { QuarryError } from '../core/errors.ts';
import { machineFailure } from '../core/machine-failure.ts';

/** Imports a package that may be missing; the error then says how to install it. */
export async function importOptional<Module>(
  packageName: string,
  neededBy: string,
  load: () => Promise<Module>,
  install = `npm install ${packageName}`,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const failure = machineFailure(cause);
    if (failure) throw failure;
    throw new QuarryError(
      'driver-package-missing',
      `${neededBy} needs the package ${packageName}, which cannot be loaded here.`,
      `Run: ${install}`,
      { cause },
    );
  }
}
