// Shown only when a page came without its data and the school is still being asked for.
import './MessagePage.css';

export function FirstLoad() {
  return (
    <main className="first-load" aria-busy="true">
      <p role="status">Loading…</p>
    </main>
  );
}
