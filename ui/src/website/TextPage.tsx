// The page of a legal text in force.
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { getJson } from '../api.ts';
import type { TextKind } from '../api-types.ts';
import { NotFoundPage } from '../components/NotFoundPage.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { useSchool } from '../school/queries.ts';
import { isTemplate } from '../template.tsx';
import { LegalText } from './LegalText.tsx';
import '../components/bands.css';

/** The path is the text's kind. */
export function TextPage() {
  const kind = useLocation().pathname.replaceAll('/', '').replaceAll('-', '_') as TextKind;
  const known = useSchool().texts.find((text) => text.kind === kind);
  const text = useQuery({
    queryKey: ['text', kind],
    queryFn: ({ signal }) => getJson(`/api/texts/${kind as string}`, signal),
    enabled: known !== undefined,
  });
  if (!known && !isTemplate) return <NotFoundPage />;
  const { data } = text;
  return (
    <>
      <PageHeader eyebrow={data && `Last updated ${data.updated}`} title={data?.title ?? known?.title ?? ''}>{data?.lead}</PageHeader>
      {data ? <LegalText sections={data.sections} /> : (
        <div className="wrap band">
          {text.isError ? (
            <Notice kind="error">
              <p>Failed to load this text. Please try again later.</p>
              <button type="button" className="button button-outline" onClick={() => void text.refetch()}>Retry</button>
            </Notice>
          ) : (
            <p role="status">Loading the text...</p>
          )}
        </div>
      )}
    </>
  );
}
