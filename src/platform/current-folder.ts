/** What is wrong with the folder that the program was started in; undefined where nothing is. */
export function currentFolderFault(): { readonly message: string; readonly remedy: string } | undefined {
  try {
    process.cwd();
    return undefined;
  } catch {
    // The system names no folder that was deleted.
    return {
      message: 'The folder that this was started in is not there any more.',
      remedy: 'Change to a folder that exists, and start it again.',
    };
  }
}
