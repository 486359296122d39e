// Hints where a course code disagrees with the form by Ontario's code grammar (subject, grade, level).
import { courseTypes, letters } from '../courses/courseTypes.ts';

const grammar = /^[A-Z]{3}([1-4]|[A-E])([A-Z])[A-Z0-9]?$/;

type CodeFacts = { code: string; grade: string; courseType: string };

/** Hints about the code; empty if everything agrees. */
export function codeHints({ code, grade, courseType }: CodeFacts): string[] {
  const plain = code.replace(/[\s-]/g, '').toUpperCase();
  // No hints while the code is incomplete.
  if (plain.length < 5) return [];
  const [, level, letter] = grammar.exec(plain) ?? [];
  if (!level || !letter) return ['Ontario course codes look like ENG4U. You can still save this one.'];
  const hints: string[] = [];
  // A letter is a language level and implies no grade.
  const codeGrade = /\d/.test(level) ? String(Number(level) + 8) : grade;
  if (codeGrade !== grade) hints.push(`The code says grade ${codeGrade}, the form says ${grade}.`);
  const codeType = courseTypes.find((type) => (letters[type] as string[]).includes(letter));
  if (codeType && courseType && codeType !== courseType) hints.push(`The code says ${codeType}, the form says ${courseType}.`);
  return hints;
}
