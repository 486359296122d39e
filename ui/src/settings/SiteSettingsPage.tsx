// Site Settings: the content of the public site. A draft is edited, previewed and published here; earlier versions can
// be restored.
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import type { Prefetch } from '../accounts/guards.ts';
import type { SettingsPage } from '../api-types.ts';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { AnnouncementSection } from './AnnouncementSection.tsx';
import { ColoursSection } from './ColoursSection.tsx';
import { Contents } from './Contents.tsx';
import { FactsSection } from './FactsSection.tsx';
import { HoursSection, UniversitiesSection } from './HoursSection.tsx';
import { GuardiansSection, WaitingEmailSection } from './OfficeSections.tsx';
import { CampusSection, PeopleSection } from './PictureLists.tsx';
import { CrestSection, HeroSection } from './PicturesSections.tsx';
import { settingsQuery, uploadKey, versionsQuery } from './queries.ts';
import { QuestionsSection } from './QuestionsSection.tsx';
import { FeesSection, SemestersSection } from './SemestersSection.tsx';
import { formId, SettingsBar } from './SettingsBar.tsx';
import { SettingsNotices } from './SettingsNotices.tsx';
import { TextsSection } from './TextsSection.tsx';
import { useDraft } from './useDraft.ts';
import { useSteps } from './useSteps.ts';
import { VersionsSection } from './VersionsSection.tsx';
import './settings.css';

export const prefetch: Prefetch = (client) => [client.prefetchQuery(settingsQuery), client.prefetchQuery(versionsQuery)];

export function SiteSettingsPage() {
  const settings = useQuery(settingsQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  // Do not edit cached settings: a colleague may have changed them since.
  const isOnItsWay = settings.isPending || settings.isFetching;
  return (
    <>
      <PageHead eyebrow="Administration" title="Site Settings" ref={heading}>
        <p>What the public site shows of the school. Visitors see your changes once you publish them.</p>
      </PageHead>
      {isOnItsWay && <Spinner label="Loading the settings..." />}
      {settings.isError && !isOnItsWay && <LoadFailed words="Failed to load the settings. Please try again later." query={settings} heading={heading} />}
      {settings.data && !isOnItsWay && <SettingsEditor page={settings.data} />}
    </>
  );
}

function SettingsEditor({ page }: { page: SettingsPage }) {
  const editor = useDraft(page);
  const steps = useSteps(editor);
  const isUploading = useIsMutating({ mutationKey: uploadKey }) > 0;
  const { question } = useUnsavedChanges(editor.isDirty || isUploading);

  function save(event: FormEvent) {
    event.preventDefault();
    void steps.save();
  }

  return (
    <div className="stack settings">
      <Contents />
      <form className="stack" id={formId} noValidate onSubmit={save}>
        <SettingsNotices editor={editor} steps={steps} />
        <FactsSection editor={editor} page={page} />
        <TextsSection editor={editor} page={page} />
        <AnnouncementSection editor={editor} />
        <SemestersSection editor={editor} proposed={page.defaults.semesters} />
        <FeesSection editor={editor} />
        <QuestionsSection editor={editor} />
        <HoursSection editor={editor} defaults={page.defaults} />
        <UniversitiesSection editor={editor} defaults={page.defaults} />
        <ColoursSection editor={editor} />
        <CrestSection editor={editor} />
        <HeroSection editor={editor} />
        <CampusSection editor={editor} />
        <PeopleSection editor={editor} />
        <GuardiansSection editor={editor} isDefault={page.defaults.everyGuardianConfirms} />
        <WaitingEmailSection editor={editor} />
      </form>
      <VersionsSection editor={editor} steps={steps} />
      <SettingsBar editor={editor} steps={steps} />
      <p className="sr-only" role="status">{editor.said}</p>
      {question}
    </div>
  );
}
