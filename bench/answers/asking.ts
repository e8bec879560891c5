import { openPages } from './page-project.ts';

/** What was answered: its kind, and the quotes that it is made of, as they are shown. */
export interface Asked {
  readonly kind: string;
  readonly quotes: readonly string[];
}

/** An indexed project with these files, to be asked. */
export async function openAsk(
  files: Readonly<Record<string, string>>,
  settings: Record<string, string>,
): Promise<{ ask(question: string): Promise<Asked>; close(): Promise<void> }> {
  const pages = Object.entries(files).map(([_id, text]) => ({ _id, text }));
  // Mails of any age: those of the corpora do not get younger.
  const { project, close } = await openPages(pages, { 'max_age_days.email': '100000', ...settings });
  return {
    async ask(question) {
      const stream = project.ask(question, { update: false });
      let step = await stream.next();
      while (!step.done) step = await stream.next();
      const [, ...quotes] = step.value.answer.split('\n\n');
      return { kind: step.value.kind, quotes };
    },
    close,
  };
}
