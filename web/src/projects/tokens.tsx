import { useState } from 'preact/hooks';
import { perform, type ResultOf } from '../api/operations.ts';
import { projects } from '../api/projects.ts';
import { asError, isLost } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Confirm } from '../shell/confirm.tsx';
import { Copy } from '../shell/copy.tsx';
import { Problem } from '../shell/problem.tsx';
import { TableHead } from '../shell/table-head.tsx';
import { ago } from '../shell/words.ts';

const allowed = { read: 'read', write: 'read and change', admin: 'read and change' } as const;

type Token = ResultOf<'token list'>['tokens'][number];

/** The tokens of the server: made here and shown once, listed, revoked. */
export function Tokens({ project }: { project: string }) {
  const list = useAnswer(() => perform(project, 'token list', {}), [project]);
  const [made, setMade] = useState<ResultOf<'token create'>>();
  const [failure, setFailure] = useState<unknown>();
  const create = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const words = new FormData(form);
    setFailure(undefined);
    perform(project, 'token create', {
      name: String(words.get('name')),
      for_project: String(words.get('for_project')),
      write: words.get('write') === 'on',
    })
      .then((token) => {
        setMade(token);
        form.reset();
        list.again();
      })
      .catch(setFailure);
  };
  const revoke = (id: string) => {
    setFailure(undefined);
    perform(project, 'token revoke', { id }, { confirmed: true }).catch(setFailure).finally(list.again);
  };
  return (
    <section class="card tokens">
      <h2>Tokens</h2>
      <p class="quiet">
        With a token, a program or a person on another machine may search here. It is shown once, when you
        make it.
      </p>
      {(list.error ?? failure) !== undefined && <Problem error={asError(list.error ?? failure)} />}
      <form class="fields" onSubmit={create}>
        <label>
          Name
          <input name="name" required maxLength={100} placeholder="laptop" />
        </label>
        <label>
          For
          <select name="for_project">
            <option value="*">all projects</option>
            {projects.value?.map(({ id }) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input type="checkbox" name="write" /> may change
        </label>
        <button type="submit" disabled={isLost.value}>
          Make a token
        </button>
      </form>
      {made && (
        <div class="made" role="status">
          <p>
            The token of <b>{made.name}</b>, shown this once:
          </p>
          <code>{made.token}</code>
          <div class="actions">
            <Copy text={made.token} name="Copy" />
            <button type="button" onClick={() => setMade(undefined)}>
              Done
            </button>
          </div>
        </div>
      )}
      {list.result && list.result.tokens.length > 0 && (
        <table class="plain">
          <TableHead columns={['Name', 'Allows', 'Made', { name: 'Revoke', kind: 'unseen' }]} />
          <tbody>
            {list.result.tokens.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={revoke} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function TokenRow({ token, onRevoke }: { token: Token; onRevoke: (id: string) => void }) {
  return (
    <tr>
      <th scope="row">{token.name}</th>
      <td>
        {allowed[token.access]} {token.project === '*' ? 'all projects' : token.project}
        {token.access === 'admin' && ', and what they share'}
      </td>
      <td>{ago(token.created_at)}</td>
      <td>
        <Confirm
          name={`Revoke ${token.name}`}
          short="Revoke"
          sure="Revoke for good"
          onConfirm={() => onRevoke(token.id)}
        />
      </td>
    </tr>
  );
}
