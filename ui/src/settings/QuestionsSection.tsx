// Questions and answers, in display order.
import { Field } from '../components/Field.tsx';
import { newRow, type QuestionRow } from './draft.ts';
import { AddButton, RowHead, Section } from './Section.tsx';
import type { Editor } from './useDraft.ts';
import { idOf } from './words.ts';

const max = 20;

export function QuestionsSection({ editor }: { editor: Editor }) {
  const { questions } = editor.draft;

  function add() {
    editor.change('questions', (rows) => [...rows, newRow({ question: '', answer: '' })], 'questions.new');
    editor.focusLater(idOf(`questions.${questions.length}.question`));
  }

  return (
    <Section id="questions" title="Questions and Answers" about={<p>What families ask most, on the home page and for search engines. Answers may have several paragraphs.</p>}>
      {questions.length > 0 && <ol className="rows bare settings-rows">{questions.map((row, at) => <Question key={row.key} editor={editor} row={row} at={at} />)}</ol>}
      <AddButton part="questions" count={questions.length} max={max} words="Add a Question" onAdd={add} />
    </Section>
  );
}

function Question({ editor, row: { question, answer }, at }: { editor: Editor; row: QuestionRow; at: number }) {
  const write = (field: string) => ({ target }: { target: { value: string } }) => editor.changeRow('questions', at, field, target.value);
  return (
    <li>
      <RowHead editor={editor} part="questions" at={at} name={`Question ${at + 1}`} isBlank={!question && !answer} />
      <Field {...editor.field(`questions.${at}.question`)} label="Question">
        {(control) => <input {...control} type="text" value={question} maxLength={200} dir="auto" onChange={write('question')} />}
      </Field>
      <Field {...editor.field(`questions.${at}.answer`)} label="Answer">
        {(control) => <textarea {...control} value={answer} rows={3} maxLength={2000} dir="auto" onChange={write('answer')} />}
      </Field>
    </li>
  );
}
