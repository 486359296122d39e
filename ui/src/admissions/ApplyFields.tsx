// The fields of an application, in three steps.
import { Link } from 'react-router';
import { optionsOf } from '../closedSets.ts';
import type { Elements } from '../components/elements.ts';
import { Field } from '../components/Field.tsx';
import { grades } from '../courses/grades.ts';
import { paths } from '../paths.ts';
import { type Choice, countries } from '../school/countries.ts';
import { relationships } from './relationships.ts';
import type { OwnApplication } from './wire.ts';

const genders = { female: 'Female', male: 'Male', other: 'Other' } satisfies Record<NonNullable<OwnApplication['gender']>, string>;

const languages = { en: 'English', fr: 'French' } satisfies Record<OwnApplication['language'], string>;

/** Without years: the page is built once. */
const starts = ['As soon as possible', 'September', 'February', 'July', 'Later'].map((value) => ({ value, label: value }));

type ApplyFieldsProps = {
  field: (name: string) => { id: string; error: string | undefined };
  /** What is known already. */
  begun?: Readonly<Record<string, string>>;
  /** The office types what a family said: no consent, and no browser that fills in the office's own address. */
  isOffice?: boolean;
};

type LineProps = ApplyFieldsProps & {
  name: string;
  label: string;
  hint?: string;
  type?: string;
  complete?: string;
};

export function ApplyFields(props: ApplyFieldsProps) {
  const { field, begun, isOffice = false } = props;
  const line = (name: LineProps['name'], label: string, rest: Omit<LineProps, keyof ApplyFieldsProps | 'name' | 'label'> = {}) => (
    <Line {...props} name={name} label={label} {...rest} />
  );
  const choice = (name: string, label: string, options: readonly Choice[], hint?: string) => (
    <Field {...field(name)} label={label} {...(hint && { hint })}>
      {(control) => (
        <select {...control} name={name}>
          <option value="">Select...</option>
          {options.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
        </select>
      )}
    </Field>
  );
  return (
    <>
      <Step number={1} title="The student">
        <div className="grid field-pair">
          {/* The child’s: a browser would fill in the parent’s own. */}
          {line('firstName', 'First name')}
          {line('lastName', 'Last name')}
          {line('dateOfBirth', 'Date of birth', { type: 'date' })}
          <Field {...field('grade')} label="Grade to enter">
            {(control) => (
              <select {...control} name="grade" required>
                <option value="">Select a grade</option>
                {grades.map((grade) => <option key={grade} value={grade}>{`Grade ${grade}`}</option>)}
              </select>
            )}
          </Field>
        </div>
        <div className="grid field-pair">
          {choice('gender', 'Gender (optional)', optionsOf(genders))}
          {line('previousSchool', 'Current or last school (optional)')}
        </div>
      </Step>
      <Step number={2} title="The family">
        <div className="grid field-pair">
          {line('email', 'Email', { type: 'email', complete: 'email', hint: 'Everything about the application goes here.' })}
          {line('phone', 'Phone', { type: 'tel', complete: 'tel', hint: 'With the country code, from outside Canada.' })}
        </div>
        <Field {...field('country')} label="Country">
          {(control) => (
            <select {...control} name="country" defaultValue="CA" autoComplete={isOffice ? 'off' : 'country'}>
              {/* The build may know a country by another name than the browser. */}
              {countries.map(({ value, label }) => <option key={value} value={value} suppressHydrationWarning>{label}</option>)}
            </select>
          )}
        </Field>
        {line('address', 'Address', { complete: 'street-address' })}
        <div className="grid field-pair apply-place">
          {line('city', 'City (optional)', { complete: 'address-level2' })}
          {line('province', 'Province or state (optional)', { complete: 'address-level1' })}
          {line('postalCode', 'Postal code (optional)', { complete: 'postal-code' })}
        </div>
        <h3>Parent or guardian</h3>
        <p className="fine-print">Needed if the student is under 18.</p>
        <div className="grid field-pair">
          {line('guardianName', 'Name')}
          {choice('relationship', 'Relationship (optional)', optionsOf(relationships))}
          {line('guardianEmail', 'Guardian’s email', { type: 'email' })}
          {line('guardianPhone', 'Guardian’s phone (optional)', { type: 'tel' })}
        </div>
      </Step>
      <Step number={3} title="School and wishes">
        <div className="grid field-pair">
          {isOffice
            ? line('startTerm', 'Start (optional)', { hint: 'For example, September 2027.' })
            : choice('startTerm', 'When would you like to start? (optional)', starts)}
          {choice('language', 'Preferred language (optional)', optionsOf(languages), 'Emails from this website are in English; the office sees your choice.')}
        </div>
        {line('wantedCourses', 'Courses (optional)', { hint: 'Codes such as ENG4U, separated by commas.' })}
        <Field {...field('message')} label="Anything we should know? (optional)">
          {(control) => <textarea {...control} name="message" defaultValue={begun?.message} rows={4} maxLength={4000} dir="auto" />}
        </Field>
        {!isOffice && <Consents {...props} />}
      </Step>
    </>
  );
}

function Consents({ field }: ApplyFieldsProps) {
  const { id, error } = field('consents');
  return (
    <div className="field">
      <label className="tick">
        <input name="consents" id={id} type="checkbox" value="privacy" required aria-invalid={error ? true : undefined} aria-describedby={error && `${id}-error`} />
        <span>I agree that the school keeps these details to decide on the application, as the <Link to={paths.privacy} target="_blank">Privacy Policy</Link> describes (it opens in a new tab).</span>
      </label>
      {error && <p className="field-error" id={`${id}-error`}>{error}</p>}
      <label className="tick">
        <input name="consents" type="checkbox" value="marketing" />
        <span>Send us news such as open house dates (optional).</span>
      </label>
    </div>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: Elements }) {
  return (
    <fieldset className="step">
      <legend><span aria-hidden="true">{number}</span><span>{` ${title}`}</span></legend>
      {children}
    </fieldset>
  );
}

const needed: ReadonlySet<string> = new Set(['firstName', 'lastName', 'dateOfBirth', 'email', 'phone', 'address']);

function Line({ field, begun, isOffice = false, name, label, hint, type = 'text', complete = 'off' }: LineProps) {
  return (
    <Field {...field(name)} label={label} {...(hint && { hint })}>
      {(control) => (
        <input
          {...control}
          name={name}
          defaultValue={begun?.[name]}
          type={type}
          required={needed.has(name)}
          autoComplete={isOffice ? 'off' : complete}
          {...(type === 'text' && { dir: 'auto' as const })}
        />
      )}
    </Field>
  );
}
