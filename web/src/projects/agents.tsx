import type { ErrorData } from '../../../src/core/errors.ts';
import type { PushStats } from '../../../src/streaming/protocol.ts';
import { asking } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { TableHead } from '../shell/table-head.tsx';
import { ago, bytes, counted, plainly, plural } from '../shell/words.ts';

/** Milliseconds between two looks at the server. */
const looksEvery = 2000;

/** A client that sends files, as the server tells of it. */
interface AgentState {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly client?: string;
  readonly project?: string;
  readonly phase: 'connected' | 'waiting' | 'sending' | 'indexing' | 'done' | 'failed';
  readonly connected_at: string;
  readonly heard_at: string;
  readonly ended_at?: string;
  readonly received_bytes?: number;
  readonly stats?: PushStats;
  readonly error?: ErrorData;
}

const phases = {
  connected: 'connected',
  waiting: 'waits for its turn',
  sending: 'sends files',
  indexing: 'its files are being indexed',
  done: 'done',
  failed: 'failed',
};

/** The machines that send their files here, those that are connected now first. */
export function Agents() {
  const { result, error } = useAnswer(
    async () => (await asking((client) => client.request('GET', '/v1/agents'))) as { agents: AgentState[] },
    [],
    looksEvery,
  );
  const agents = result?.agents ?? [];
  const connected = agents.filter(({ ended_at }) => ended_at === undefined).length;
  return (
    <section class="card agents">
      <h2>Machines that send files</h2>
      <p class="quiet">
        {connected > 0 ? `${plural(connected, 'machine')} connected. ` : 'None is connected. '}A machine sends
        its files with <code>quarry push</code>.
      </p>
      {error && <Problem error={error} />}
      {agents.length > 0 && (
        <table class="plain">
          <TableHead columns={['Who', 'Project', 'Since', 'Files', 'State']} />
          <tbody>
            {agents.map((agent) => (
              <tr key={agent.id}>
                <th scope="row">
                  {plainly(agent.name)} <span class="quiet small">{agent.address}</span>
                  {agent.client !== undefined && <span class="quiet small"> {plainly(agent.client)}</span>}
                </th>
                <td>{plainly(agent.project ?? '')}</td>
                <td title={new Date(agent.connected_at).toLocaleString()}>{ago(agent.connected_at)}</td>
                <td>{filesOf(agent)}</td>
                <td>{stateOf(agent)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function filesOf({ stats, received_bytes = 0 }: AgentState): string {
  if (!stats) return received_bytes > 0 ? `${bytes(received_bytes)} so far` : '';
  const changes = [
    stats.added > 0 && `${counted(stats.added)} new`,
    stats.changed > 0 && `${counted(stats.changed)} changed`,
    stats.removed > 0 && `${counted(stats.removed)} removed`,
  ].filter((change) => change !== false);
  return `${plural(stats.files, 'file')}, ${bytes(stats.bytes)} (${changes.join(', ') || 'nothing new'})`;
}

function stateOf({ phase, ended_at, error }: AgentState): string {
  if (phase === 'failed') return `failed: ${error?.message ?? ''}`;
  if (ended_at === undefined) return phases[phase];
  return phase === 'done' ? `pushed ${ago(ended_at)}` : `left ${ago(ended_at)}, before the end`;
}
