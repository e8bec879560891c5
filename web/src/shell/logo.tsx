/** The steps of a quarry. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <path d="M4 24h24v4H4zM8 16h16v5H8zM12 9h8v4h-8zM15 3h3v3h-3z" fill="currentColor" />
    </svg>
  );
}
