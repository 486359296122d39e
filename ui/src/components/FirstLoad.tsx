// Shown while the school loads, if the page came without embedded data.
import './MessagePage.css';

export function FirstLoad() {
  return (
    <main className="wrap message-page" aria-busy="true">
      <p role="status">Loading…</p>
    </main>
  );
}
