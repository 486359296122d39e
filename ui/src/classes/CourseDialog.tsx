// The dialogs 'Create Course' and 'Update Course' (section 2).
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { ApiError, failureWords } from '../api.ts';
import type { Grade, OfficeCourse } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form } from '../components/Form.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { CourseFields } from './CourseFields.tsx';
import { changesOf, courseFields, courseSchema, inputOf, valuesOf } from './courseSchema.ts';
import { refreshCourses, saveCourse } from './queries.ts';
import { useMergedChanges, useLatestCourse } from './useLatestCourse.ts';

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
  /** The course to edit; null for a new one. */
  course: OfficeCourse | null;
  /** The default grade of a new course. */
  grade?: Grade;
  onSaved: (course: OfficeCourse) => void;
  onClose: () => void;
};

export function CourseDialog({ course: opened, grade: firstGrade, onSaved, onClose }: CourseDialogProps) {
  const words = opened ? updating : creating;
  const client = useQueryClient();
  const course = useLatestCourse(opened);
  const saving = useMutation(saveCourse);
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: courseSchema,
    values: valuesOf(opened, firstGrade),
    fields: courseFields,
    idPrefix: 'course',
    send: async (values) => {
      const input = course ? changesOf(course, values) : inputOf(values);
      const saved = await saving.mutateAsync({ id: course?.id ?? null, input });
      showToast(words.done);
      onSaved(saved);
      refreshCourses(client);
    },
    onFailure: (error) => {
      showFailure('Error', saidOf(error, words.failed));
      if (isGone(error)) refreshCourses(client);
    },
  });
  const [code = '', grade = '', courseType = ''] = useWatch({ control: form.control, name: ['code', 'grade', 'courseType'] });
  useMergedChanges(course, form);
  const { leave, question } = useUnsavedChanges(isDirty);
  // A request in flight cannot be cancelled.
  const close = () => !isPending && leave(onClose);

  return (
    <Dialog title={words.title} isWide onClose={close}>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && saidOf(failure, words.failed)}
        isToasted
        submitLabel={words.title}
        pendingLabel={words.pending}
        onSubmit={submit}
        onCancel={close}
      >
        <CourseFields register={register} field={field} said={{ code, grade, courseType }} />
      </Form>
      {question}
    </Dialog>
  );
}

function isGone(error: Error): boolean {
  return error instanceof ApiError && error.status === 404;
}

function saidOf(error: Error, otherwise: string): string {
  return isGone(error) ? 'This course has been deleted.' : failureWords(error, otherwise);
}
