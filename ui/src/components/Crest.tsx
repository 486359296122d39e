// The drawn crest: a shield with a northern star above an open book. Decorative, as the name stands beside it.
import './Crest.css';

export function Crest() {
  return (
    <svg className="crest" viewBox="0 0 96 112" aria-hidden="true" focusable="false">
      <path className="crest-field" d="M6 5h84v52c0 25-17 41-42 51C23 98 6 82 6 57Z" />
      <path d="M12 11h72v46c0 21.5-14 35-36 44.5C26 92 12 78.5 12 57Z" />
      <path d="M12 41h72" />
      <path className="crest-solid" d="m48 15 3.1 7.9L59 26l-7.9 3.1L48 37l-3.1-7.9L37 26l7.9-3.1Z" />
      <path className="crest-solid" d="m24 22.5 1.2 2.9 2.9 1.2-2.9 1.2L24 30.7l-1.2-2.9-2.9-1.2 2.9-1.2ZM72 22.5l1.2 2.9 2.9 1.2-2.9 1.2-1.2 2.9-1.2-2.9-2.9-1.2 2.9-1.2Z" />
      <path className="crest-solid" d="M48 57c-6.5-5-14-6.5-23-6v27c9-.5 16.5 1 23 6 6.5-5 14-6.5 23-6V51c-9-.5-16.5 1-23 6Z" />
      <path className="crest-fine" d="M48 57v27M30.5 58.5c4.5 0 8.5 1 12.5 3M30.5 65c4.5 0 8.5 1 12.5 3M30.5 71.5c4.5 0 8.5 1 12.5 3M65.5 58.5c-4.5 0-8.5 1-12.5 3M65.5 65c-4.5 0-8.5 1-12.5 3M65.5 71.5c-4.5 0-8.5 1-12.5 3" />
    </svg>
  );
}
