import { messageOf, QuarryError } from '../core/errors.ts';
import { machineFailure } from '../core/failures/machine-failure.ts';

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
    const [reason = ''] = messageOf(cause).split(/\.?\r?\n/);
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_DLOPEN_FAILED') {
      throw new QuarryError(
        'requirement-missing',
        `${neededBy} needs the package ${packageName}, which the system cannot load: ${reason}.`,
        process.platform === 'win32'
          ? 'Install the Visual C++ runtime of Microsoft (vc_redist).'
          : 'Install the library of the system that it names, or use a newer system.',
        { cause },
      );
    }
    throw new QuarryError(
      'requirement-missing',
      `${neededBy} needs the package ${packageName}, which cannot be loaded here.`,
      `Run: ${install}`,
      { cause },
    );
  }
}
