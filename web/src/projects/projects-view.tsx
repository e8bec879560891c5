import './projects.css';
import { useState } from 'preact/hooks';
import { engineState } from '../api/engine-state.ts';
import { startIndexing } from '../api/jobs.ts';
import { type ListedProject, loadProjects, nameOf, projects } from '../api/projects.ts';
import { asError, asking, isLost } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Confirm } from '../shell/confirm.tsx';
import { Problem } from '../shell/problem.tsx';
import { goTo, linkTo } from '../shell/route.ts';
import { TableHead } from '../shell/table-head.tsx';
import { plainly } from '../shell/words.ts';
import { Agents } from './agents.tsx';
import { Tokens } from './tokens.tsx';

/** Milliseconds between two looks at the server. */
const looksEvery = 4000;

/** The projects of the server, and who may ask it. */
export function ProjectsView({ project }: { project: string }) {
  const { error } = useAnswer(loadProjects, [], looksEvery);
  const engine = useAnswer(engineState, []);
  return (
    <>
      <header class="view-head">
        <h1>Projects</h1>
      </header>
      {error && <Problem error={error} />}
      <table class="plain">
        <TableHead columns={['Name', 'Folder', 'State', { name: 'Forget', kind: 'unseen' }]} />
        <tbody>
          {projects.value?.map((known) => (
            <Row key={known.id} known={known} />
          ))}
        </tbody>
      </table>
      {engine.result ? (
        <>
          <Agents />
          <NewProject />
          <Tokens project={project} />
        </>
      ) : (
        <p class="quiet">
          Folders can be added, and tokens made, by the owner of the machine: open this page with{' '}
          <code>quarry ui</code>.
        </p>
      )}
    </>
  );
}

function Row({ known }: { known: ListedProject }) {
  const [failure, setFailure] = useState<unknown>();
  const forget = () => {
    asking((client) => client.request('DELETE', `/v1/projects/${encodeURIComponent(known.id)}`))
      .then(loadProjects)
      .catch(setFailure);
  };
  return (
    <tr>
      <th scope="row">
        <a href={linkTo(known.id, 'status')}>{plainly(nameOf(known))}</a>
      </th>
      <td>{plainly(known.folder ?? known.files)}</td>
      <td>
        {stateOf(known)}
        {known.failure && <Problem error={known.failure} isWarning />}
        {failure !== undefined && <Problem error={asError(failure)} />}
      </td>
      <td>
        <Confirm
          name={`Forget ${nameOf(known)}`}
          short="Forget"
          sure="Forget it: its folder stays"
          onConfirm={forget}
        />
      </td>
    </tr>
  );
}

function stateOf({ open, syncing, registered }: ListedProject): string {
  const activity = syncing ? 'being indexed' : open ? 'open' : 'closed';
  return registered ? activity : `${activity}, until the engine ends`;
}

function NewProject() {
  const [failure, setFailure] = useState<unknown>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const words = new FormData(form);
    const body = { id: String(words.get('id')).trim(), folder: String(words.get('folder')).trim() };
    setFailure(undefined);
    asking((client) => client.request('POST', '/v1/projects', body))
      .then(async () => {
        form.reset();
        await loadProjects();
        await startIndexing(body.id, false);
        goTo(linkTo(body.id, 'status'));
      })
      .catch(setFailure);
  };
  return (
    <section class="card new-project">
      <h2>Add a folder</h2>
      {failure !== undefined && <Problem error={asError(failure)} />}
      <form class="fields" onSubmit={submit}>
        <label>
          Name
          <input name="id" required placeholder="docs" spellcheck={false} autocapitalize="off" />
        </label>
        <label>
          Folder of this machine
          <input name="folder" required placeholder="/home/me/docs" spellcheck={false} autocapitalize="off" />
        </label>
        <button type="submit" disabled={isLost.value}>
          Index it
        </button>
      </form>
    </section>
  );
}
