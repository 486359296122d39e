// The dialogs 'Create Course' and 'Update Course' (section 2).
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { failureWords } from '../api.ts';
import type { Course } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form } from '../components/Form.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { CourseFields } from './CourseFields.tsx';
import { courseFields, courseSchema, inputOf, valuesOf } from './courseSchema.ts';
import { refreshCourses, saveCourse } from './queries.ts';

// Sections 2 and 8.
const creating = {
  title: 'Create Course',
  pending: 'Creating...',
  done: 'Course created',
  failed: 'Failed to create course. Please try again.',
};
const updating = {
  title: 'Update Course',
  pending: 'Updating...',
  done: 'Course updated',
  failed: 'Failed to update course. Please try again.',
};

type CourseDialogProps = {
  /** The course to change; null for a new one. */
  course: Course | null;
  onSaved: (course: Course) => void;
  onClose: () => void;
};

export function CourseDialog({ course, onSaved, onClose }: CourseDialogProps) {
  const words = course ? updating : creating;
  const client = useQueryClient();
  const saving = useMutation(saveCourse);
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: courseSchema,
    values: valuesOf(course),
    fields: courseFields,
    idPrefix: 'course',
    send: async (values) => {
      const saved = await saving.mutateAsync({ id: course?.id ?? null, input: inputOf(values) });
      showToast(words.done);
      onSaved(saved);
      refreshCourses(client);
    },
    onFailure: (error) => showFailure('Error', failureWords(error, words.failed)),
  });
  const [code = '', grade = '', courseType = ''] = useWatch({ control: form.control, name: ['code', 'grade', 'courseType'] });
  const { leave, question } = useUnsavedChanges(isDirty);

  return (
    <Dialog title={words.title} isWide onClose={() => leave(onClose)}>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, words.failed)}
        isToasted
        submitLabel={words.title}
        pendingLabel={words.pending}
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <CourseFields register={register} field={field} said={{ code, grade, courseType }} />
      </Form>
      {question}
    </Dialog>
  );
}
