import './projects.css';
import { useState } from 'preact/hooks';
import { engineState } from '../api/engine-state.ts';
import { perform } from '../api/operations.ts';
import { closedIndex, type ListedProject, loadProjects, nameOf, projects } from '../api/projects.ts';
import { asError, asking } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Confirm } from '../shell/confirm.tsx';
import { Problem } from '../shell/problem.tsx';
import { linkTo } from '../shell/route.ts';
import { TableHead } from '../shell/table-head.tsx';
import { ago, bytes, plainly, plural } from '../shell/words.ts';
import { Agents } from './agents.tsx';
import { NewProject } from './new-project.tsx';
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
      {projects.value?.length !== 0 && (
        <table class="plain">
          <TableHead columns={['Name', 'Folder', 'Index', 'State', { name: 'Forget', kind: 'unseen' }]} />
          <tbody>
            {projects.value?.map((known) => (
              <Row key={known.id} known={known} />
            ))}
          </tbody>
        </table>
      )}
      {engine.result ? (
        <>
          <NewProject />
          <Agents />
          {project !== '' && <Tokens project={project} />}
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
  const { result: index } = useAnswer(() => indexOf(known), [known.id, known.open, known.syncing]);
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
      <td>{index}</td>
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

/** How much an index holds, how large and how old it is; of a project that is closed without opening it. */
async function indexOf({ id, open }: ListedProject): Promise<string> {
  if (!open) {
    const closed = await closedIndex(id);
    return closed ? `${bytes(closed.bytes)}, written ${ago(closed.written_at)}` : 'none here yet';
  }
  const { enabled, documents, bytes: size, synced_at } = await perform(id, 'status', { compare: false });
  if (!enabled) return '';
  const age = synced_at ? `read ${ago(synced_at)}` : 'never read';
  return `${plural(documents, 'document')}, ${bytes(size)}, ${age}`;
}

function stateOf({ open, syncing, registered }: ListedProject): string {
  const activity = syncing ? 'being indexed' : open ? 'open' : 'closed';
  return registered ? activity : `${activity}, until Quarry stops`;
}
