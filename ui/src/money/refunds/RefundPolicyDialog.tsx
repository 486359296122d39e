// Writes a version of a refund policy: who it is for, and its rules, each with what it means for a student.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError, failureWords } from '../../api.ts';
import type { RefundPolicy } from '../../api-types.ts';
import { optionsOf } from '../../closedSets.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { Form } from '../../components/Form.tsx';
import { showToast } from '../../components/toasts.ts';
import { useUnsavedChanges } from '../../components/useUnsavedChanges.tsx';
import { newKey } from '../../once.ts';
import { useSchool } from '../../school/queries.ts';
import { policiesQuery, savePolicies } from '../moneyQueries.ts';
import { draftOf, exampleWords, moments, newRule, type RuleDraft, ruleOf } from './policyRules.ts';
import { centsOf } from '../payments/division.ts';
import { todayIn } from '../words.ts';

type Draft = { name: string; provinces: string; effectiveOn: string; rules: RuleDraft[] };

const most_rules = 12;

/** A usual policy to begin with. */
const usual = (): RuleDraft[] => [
  newRule({ moment: 'before', days: '1', percent: '100', keep: '' }),
  newRule({ moment: 'school', days: '5', percent: '100', keep: '100.00' }),
  newRule({ moment: 'end', days: '', percent: '0', keep: '' }),
];

/** Without a policy: a new one. */
export function RefundPolicyDialog({ policy, onClose }: { policy: RefundPolicy | null; onClose: () => void }) {
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const [key] = useState(newKey);
  const [begun] = useState<Draft>(() => ({
    name: policy?.name ?? '',
    provinces: policy?.provinces?.join(', ') ?? '',
    effectiveOn: policy?.effectiveOn ?? todayIn(timeZone),
    rules: policy?.rules.map(draftOf) ?? usual(),
  }));
  const [draft, setDraft] = useState(begun);
  const [attempt, setAttempt] = useState(0);
  const saving = useMutation(savePolicies);
  const fields = saving.error instanceof ApiError ? saving.error.fields : {};
  const { leave, question } = useUnsavedChanges(draft !== begun && !saving.isPending);
  const close = () => !saving.isPending && leave(onClose);
  const field = (name: string) => ({ id: `policy.${name}`, error: fields[`policies.0.${name}`] });
  const write = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const writeRule = (at: number, part: Partial<RuleDraft>) => write({ rules: draft.rules.map((rule, place) => (place === at ? { ...rule, ...part } : rule)) });
  function removeRule(at: number) {
    flushSync(() => write({ rules: draft.rules.filter((_, place) => place !== at) }));
    document.getElementById('add-rule')?.focus();
  }

  async function save() {
    const { name, effectiveOn, rules } = draft;
    const provinces = draft.provinces.split(/[\s,;]+/).filter(Boolean);
    try {
      client.setQueryData(policiesQuery.queryKey, await saving.mutateAsync({ key, policies: [{ name, effectiveOn, provinces: provinces.length > 0 ? provinces : null, rules: rules.map(ruleOf) }] }));
      showToast('Policy saved');
      onClose();
    } catch {
      setAttempt((count) => count + 1);
    }
  }

  return (
    <Dialog title={policy ? `Change “${policy.name}”` : 'Add a Refund Policy'} isWide onClose={close}>
      <p className="muted">{policy ? 'This becomes a new version: earlier requests keep the previous one.' : 'The first rule whose day has not passed applies; after the last one nothing is waived.'}</p>
      <Form
        isPending={saving.isPending}
        summary={{ attempt, errors: Object.entries(fields).map(([name, message]) => ({ id: name.replace('policies.0.', 'policy.'), message })) }}
        error={saving.error && Object.keys(fields).length === 0 ? failureWords(saving.error, 'The policy could not be saved. Please try again.') : ''}
        submitLabel="Save Policy"
        pendingLabel="Saving..."
        onSubmit={() => void save()}
        onCancel={close}
      >
        <div className="grid field-pair">
          <Field {...field('name')} label="Name">
            {(control) => <input {...control} type="text" value={draft.name} maxLength={100} autoComplete="off" dir="auto" onChange={({ target }) => write({ name: target.value })} />}
          </Field>
          <Field {...field('effectiveOn')} label="For requests from">
            {(control) => <input {...control} type="date" value={draft.effectiveOn} onChange={({ target }) => write({ effectiveOn: target.value })} />}
          </Field>
        </div>
        <Field {...field('provinces')} label="Provinces (optional)" hint="Two letters each, such as QC. Empty: for all students without a policy of their own.">
          {(control) => <input {...control} type="text" value={draft.provinces} autoComplete="off" onChange={({ target }) => write({ provinces: target.value })} />}
        </Field>
        <ol className="rows bare">
          {draft.rules.map((rule, at) => (
            <li key={rule.key}>
              <fieldset>
                <legend>{`Rule ${at + 1}: a student who leaves until`}</legend>
                <div className="grid field-pair">
                  <Field {...field(`rules.${at}.until`)} label="Day">
                    {(control) => (
                      <select {...control} value={rule.moment} onChange={({ target }) => writeRule(at, { moment: target.value as RuleDraft['moment'] })}>
                        {optionsOf(moments).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
                      </select>
                    )}
                  </Field>
                  {rule.moment !== 'end' && (
                    <Field id={`policy.rules.${at}.days`} error={undefined} label="How many">
                      {(control) => <input {...control} type="text" inputMode="numeric" value={rule.days} autoComplete="off" onChange={({ target }) => writeRule(at, { days: target.value })} />}
                    </Field>
                  )}
                  <Field {...field(`rules.${at}.percent`)} label="Percent waived">
                    {(control) => <input {...control} type="text" inputMode="numeric" value={rule.percent} autoComplete="off" onChange={({ target }) => writeRule(at, { percent: target.value })} />}
                  </Field>
                  <Field {...field(`rules.${at}.keep`)} label="Less (dollars, optional)">
                    {(control) => <input {...control} type="text" inputMode="decimal" value={rule.keep} autoComplete="off" onChange={({ target }) => writeRule(at, { keep: target.value })} />}
                  </Field>
                </div>
                <p className="row">
                  <small>{example(rule)}</small>
                  {draft.rules.length > 1 && <button type="button" className="button button-quiet" onClick={() => removeRule(at)}>{`Remove Rule ${at + 1}`}</button>}
                </p>
              </fieldset>
            </li>
          ))}
        </ol>
        {draft.rules.length < most_rules && (
          <p><button type="button" id="add-rule" className="button button-outline" onClick={() => write({ rules: [...draft.rules, newRule({ moment: 'school', days: '10', percent: '50', keep: '' })] })}>Add a Rule</button></p>
        )}
      </Form>
      {question}
    </Dialog>
  );
}

/** What a rule means, once it can be understood. */
function example(rule: RuleDraft): string {
  const { until, percent, keep } = ruleOf(rule);
  const kept = centsOf(keep ?? '');
  const isUnderstood = percent !== null && percent >= 0 && percent <= 100 && kept !== null && /^(end|start[+-]\d+s?d)$/.test(until);
  return isUnderstood ? exampleWords({ until, percent, keep: kept / 100 }) : 'Fill in the rule to see an example.';
}
