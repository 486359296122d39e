// The office's privacy page: requests, retention, consents, access log and breach book.
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Prefetch } from '../accounts/guards.ts';
import { PageHead } from '../components/PageHead.tsx';
import { Tabs, tabId } from '../components/Tabs.tsx';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { BreachPanel } from './BreachPanel.tsx';
import { ConsentPanel } from './ConsentPanel.tsx';
import { requestsQuery, retentionQuery } from './queries.ts';
import { RequestPanel } from './RequestPanel.tsx';
import { RetentionPanel } from './RetentionPanel.tsx';
import { WhoLookedPanel } from './WhoLookedPanel.tsx';
import './privacy.css';

const panelId = 'privacy-panel';

type DeskTab = 'requests' | 'retention' | 'consents' | 'looked' | 'breaches';

const panels: Record<DeskTab, { label: string; Panel: ComponentType }> = {
  requests: { label: 'Requests', Panel: RequestPanel },
  retention: { label: 'Retention', Panel: RetentionPanel },
  consents: { label: 'Consents', Panel: ConsentPanel },
  looked: { label: 'Access Log', Panel: WhoLookedPanel },
  breaches: { label: 'Breach Book', Panel: BreachPanel },
};

const order = Object.keys(panels) as DeskTab[];

const read = (parameters: URLSearchParams): DeskTab => order.find((tab) => tab === parameters.get('tab')) ?? 'requests';
const write = (tab: DeskTab): Record<string, string> => (tab === 'requests' ? {} : { tab });

export const prefetch: Prefetch = (client) => [client.prefetchQuery(requestsQuery), client.prefetchQuery(retentionQuery)];

export function PrivacyDeskPage() {
  const [tab, show] = useUrlView<DeskTab>({ read, write });
  const open = useQuery(requestsQuery).data?.rows.filter(({ status }) => status === 'open').length ?? 0;
  const proposed = useQuery(retentionQuery).data?.proposals.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const counts: Partial<Record<DeskTab, number>> = { requests: open, retention: proposed };
  const { label, Panel } = panels[tab];
  return (
    <div className="privacy-desk">
      <PageHead eyebrow="Administration" title="Privacy" />
      <Tabs
        label="Privacy desk"
        tabs={order.map((value) => {
          const count = counts[value] ?? 0;
          const words = panels[value].label;
          return { value, label: count > 0 ? `${words} (${count.toLocaleString('en-CA')})` : words, href: `?${new URLSearchParams(write(value))}` };
        })}
        selected={tab}
        panelId={panelId}
        onSelect={(next, isKey) => show(next, isKey ? typing_pause_ms : 0)}
      />
      <div id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, tab)}>
        <h2 className="sr-only">{label}</h2>
        <Panel />
      </div>
    </div>
  );
}
