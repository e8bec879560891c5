import type { QuarryError } from '../../../src/client/index.ts';
import { useToken } from '../api/session.ts';
import { Logo } from './logo.tsx';

/** What is shown to a reader whom the server does not know. */
export function Entrance({ error }: { error: QuarryError }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const token = new FormData(event.currentTarget as HTMLFormElement).get('token');
    if (typeof token === 'string' && token.trim() !== '') useToken(token.trim());
  };
  return (
    <main class="entrance">
      <h1 class="brand">
        <Logo />
        Quarry
      </h1>
      <p role="alert">{error.message}</p>
      <p>
        On the machine of the server, run <code>quarry ui</code>: it opens this page with a link of your own.
        From elsewhere, give a token that <code>quarry token create</code> has made, or that{' '}
        <code>quarry serve</code> has shown.
      </p>
      <form onSubmit={submit}>
        <label>
          Token
          <input name="token" type="password" autocomplete="off" required />
        </label>
        <button class="primary" type="submit">
          Enter
        </button>
      </form>
    </main>
  );
}
