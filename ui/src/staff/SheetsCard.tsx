// The spreadsheet program that the CSV buttons of the office write for.
import { useState } from 'react';
import { useUser } from '../accounts/signedIn.ts';
import { rememberSheetStyle, sheetStyle, sheetStyles, type SheetStyle } from '../components/sheetStyle.ts';

/** Only for a role that downloads lists. */
export function SheetsCard() {
  const { duties } = useUser();
  const [chosen, setChosen] = useState(sheetStyle);
  if (!duties.some((duty) => duty === 'exports' || duty === 'balances' || duty === 'money')) return null;
  const choose = (style: SheetStyle) => {
    rememberSheetStyle(style);
    // What the browser has really kept.
    setChosen(sheetStyle());
  };
  return (
    <section className="card" aria-labelledby="sheets">
      <h2 id="sheets">Spreadsheets</h2>
      <fieldset>
        <legend className="sr-only">Spreadsheet program</legend>
        {(Object.keys(sheetStyles) as SheetStyle[]).map((style) => (
          <label key={style} className="tick">
            <input type="radio" name="sheets" checked={chosen === style} onChange={() => choose(style)} />
            <span>{sheetStyles[style]}</span>
          </label>
        ))}
      </fieldset>
      <p>Every list that you download as CSV is written for it. This browser remembers it.</p>
    </section>
  );
}
