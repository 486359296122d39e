// What a course code says by Ontario's grammar (three letters of the subject, the grade, the
// level), held against the rest of the form. It only hints: a school may name a course as it likes.
import { courseTypes, letters } from '../courses/courseTypes.ts';

const grammar = /^[A-Z]{3}([1-4]|[A-E])([A-Z])[A-Z0-9]?$/;

type Said = { code: string; grade: string; courseType: string };

/** Sentences for the person who fills in the form; none while everything agrees. */
export function codeHints({ code, grade, courseType }: Said): string[] {
  const plain = code.replace(/[\s-]/g, '').toUpperCase();
  // Whoever is still typing needs no advice.
  if (plain.length < 5) return [];
  const [, level, letter] = grammar.exec(plain) ?? [];
  if (!level || !letter) return ['Ontario course codes look like ENG4U. You can still save this one.'];
  const hints: string[] = [];
  // A letter is a level of a language, from which no grade follows.
  const codeGrade = /\d/.test(level) ? String(Number(level) + 8) : grade;
  if (codeGrade !== grade) hints.push(`The code says grade ${codeGrade}, the form says ${grade}.`);
  const codeType = courseTypes.find((type) => (letters[type] as string[]).includes(letter));
  if (codeType && courseType && codeType !== courseType) hints.push(`The code says ${codeType}, the form says ${courseType}.`);
  return hints;
}
