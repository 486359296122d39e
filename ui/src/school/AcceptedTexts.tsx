// The accepted texts of a form: the sentence and links beside its button, and the versions sent along.
import { useQueryClient } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { ApiError } from '../api.ts';
import type { TextKind } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { isTemplate } from '../template.tsx';
import { schoolQuery, useSchool } from './queries.ts';

const names: Record<TextKind, string> = { terms: 'Terms of Service', privacy: 'Privacy Policy', refunds: 'refund terms', how_to_pay: 'terms of payment' };

/** The current texts of these kinds, and the message if their versions have changed. */
export function useAcceptedTexts(kinds: readonly TextKind[]) {
  const client = useQueryClient();
  const all = useSchool().texts;
  // The templates' school has one text, in place of all; those of a registration are always in force.
  const texts = isTemplate ? kinds.map((kind) => ({ kind, url: `/${kind}`, version: '' })) : all.filter(({ kind }) => kinds.includes(kind));
  return {
    texts,
    versions: texts.map(({ version }) => version),
    refusal: (error: Error): string | undefined => {
      const changed = error instanceof ApiError ? error.fields.acceptedTextVersions : undefined;
      if (changed) void client.invalidateQueries({ queryKey: schoolQuery.queryKey });
      return changed;
    },
  };
}

type AcceptedTextsProps = { doing: string; texts: ReturnType<typeof useAcceptedTexts>['texts']; children?: Elements };

export function AcceptedTexts({ doing, texts, children }: AcceptedTextsProps) {
  return (
    <p className="fine-print">
      <span>{`By ${doing} you accept the `}</span>
      {texts.map(({ kind, url }, place) => (
        <Fragment key={kind}>
          {place > 0 && <span>{place === texts.length - 1 ? ' and the ' : ', the '}</span>}
          <Link to={url} target="_blank">{names[kind]}</Link>
        </Fragment>
      ))}
      <span>{texts.length > 1 ? ' (they open in a new tab).' : ' (it opens in a new tab).'}</span>
      {children}
    </p>
  );
}
