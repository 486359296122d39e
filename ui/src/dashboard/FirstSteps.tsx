// A new school's setup checklist, shown until it is done or dismissed.
import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { Link } from 'react-router';
import { failureWords } from '../api.ts';
import type { FirstStep } from '../api-types.ts';
import { showFailure } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { setFirstSteps } from './queries.ts';

const steps = {
  school: ['School facts', 'Name, address and phone, as shown on pages and in emails'],
  mail: ['Mail server', 'Until it is set, emails are only written to files on the server'],
  semesters: ['Semesters', 'The dates that students choose from'],
  catalogue: ['Courses', 'Import a spreadsheet, or begin with the sample'],
  texts: ['Texts', 'What is refunded, and how to pay'],
  colleagues: ['Colleagues', 'Invite the people who work in the office'],
} satisfies Record<FirstStep['step'], [title: string, text: string]>;

type Props = { heading: RefObject<HTMLHeadingElement | null> };

export function FirstSteps({ steps: all, heading }: Props & { steps: readonly FirstStep[] }) {
  const hiding = useSetFirstSteps(heading);
  if (all.every(({ isDone }) => isDone)) return null;
  return (
    <section className="card first-steps" aria-labelledby="first-steps">
      <div className="row">
        <h2 id="first-steps">First Steps</h2>
        <button type="button" className="button button-quiet" aria-disabled={hiding.isPending} onClick={() => hiding.run('hide')}>Hide</button>
      </div>
      <ol className="grid">
        {all.map(({ step, isDone, href }) => (
          <li key={step}>
            {isDone ? <span className="badge tone-green">Done</span> : <span className="badge">To do</span>}
            <Link to={href}>{steps[step][0]}</Link>
            <small>{steps[step][1]}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The way back. */
export function ShowFirstSteps({ heading }: Props) {
  const showing = useSetFirstSteps(heading);
  return <button type="button" className="button button-quiet" aria-disabled={showing.isPending} onClick={() => showing.run('show')}>Show first steps</button>;
}

/** The button disappears, so the focus moves to the page's heading. */
function useSetFirstSteps(heading: Props['heading']) {
  const client = useQueryClient();
  return useAction({
    ...setFirstSteps,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['dashboard'] });
      heading.current?.focus();
    },
    onError: (error) => showFailure('Error', failureWords(error, 'Please try again.')),
  });
}
