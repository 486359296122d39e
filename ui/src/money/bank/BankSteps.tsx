// Where the import of a file is: File, Columns, Review, Done.

const steps = ['File', 'Columns', 'Review', 'Done'] as const;
export type Step = (typeof steps)[number];

export function BankSteps({ step }: { step: Step }) {
  const here = steps.indexOf(step);
  return (
    <ol className="stations bank-steps" aria-label="Steps of the import">
      {steps.map((name, place) => (
        <li key={name} className={place < here || step === 'Done' ? 'is-past' : undefined} aria-current={place === here ? 'step' : undefined}>
          <span>{name}</span>
          {place < here && <span className="sr-only"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}
