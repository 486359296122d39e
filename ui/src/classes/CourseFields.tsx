// The fields of the office's course form, and what the course code says beside them.
import type { UseFormRegister } from 'react-hook-form';
import { Field } from '../components/Field.tsx';
import { courseTypes } from '../courses/courseTypes.ts';
import { grades } from '../courses/grades.ts';
import { codeHints } from './courseCode.ts';
import type { CourseValues } from './courseSchema.ts';

type CourseFieldsProps = {
  register: UseFormRegister<CourseValues>;
  field: (name: keyof CourseValues) => { id: string; error: string | undefined };
  /** Current form values, to compare the code with. */
  said: Pick<CourseValues, 'code' | 'grade' | 'courseType'>;
};

export function CourseFields({ register, field, said }: CourseFieldsProps) {
  return (
    <>
      <div className="grid field-pair course-trio">
        <Field {...field('code')} label="Course code">
          {(control) => <input {...control} {...register('code')} type="text" autoComplete="off" autoCapitalize="characters" spellCheck={false} />}
        </Field>
        <Field {...field('grade')} label="Grade">
          {(control) => (
            <select {...control} {...register('grade')}>
              {grades.map((grade) => <option key={grade} value={grade}>{`Grade ${grade}`}</option>)}
            </select>
          )}
        </Field>
        <Field {...field('courseType')} label="Course type">
          {(control) => (
            <select {...control} {...register('courseType')}>
              <option value="">Select a type</option>
              {courseTypes.map((type) => <option key={type} value={type}>{type}</option>)}
            </select>
          )}
        </Field>
      </div>
      <CodeHints hints={codeHints(said)} />
      <Field {...field('name')} label="Course name">
        {(control) => <input {...control} {...register('name')} type="text" autoComplete="off" dir="auto" />}
      </Field>
      <Field {...field('description')} label="Description">
        {(control) => <textarea {...control} {...register('description')} rows={3} dir="auto" />}
      </Field>
      <Field {...field('prerequisite')} label="Prerequisite (optional)" hint="A course code, or a sentence.">
        {(control) => <input {...control} {...register('prerequisite')} type="text" autoComplete="off" dir="auto" />}
      </Field>
      <div className="grid field-pair">
        <Field {...field('price')} label="Price (optional)" hint="In Canadian dollars, for example 549.00.">
          {(control) => <input {...control} {...register('price')} type="text" inputMode="decimal" autoComplete="off" />}
        </Field>
        <Field {...field('credits')} label="Credits" hint="1 for 110 hours, 0.5 for 55 hours.">
          {(control) => <input {...control} {...register('credits')} type="text" inputMode="decimal" autoComplete="off" />}
        </Field>
      </div>
      <div className="grid field-pair">
        <Field {...field('capacity')} label="Seats (optional)" hint="How many students can take it at once. Leave empty for no limit.">
          {(control) => <input {...control} {...register('capacity')} type="text" inputMode="numeric" autoComplete="off" />}
        </Field>
        <div className="course-ticks">
          <label className="tick">
            <input id={field('isCompulsory').id} {...register('isCompulsory')} type="checkbox" /> Compulsory course
          </label>
          <label className="tick">
            <input id={field('isOpen').id} {...register('isOpen')} type="checkbox" /> Accepts requests
          </label>
        </div>
      </div>
    </>
  );
}

/** Always rendered, so that a new hint is announced. */
function CodeHints({ hints }: { hints: string[] }) {
  return (
    <div className="code-hints" role="status">
      {hints.map((hint) => <p key={hint}>{hint}</p>)}
    </div>
  );
}
