// The two cards beside the contact form: contact information and location.
import type { ReactNode } from 'react';
import type { School } from '../api-types.ts';
import { SchoolIcon, type SchoolIconName } from '../components/SchoolIcon.tsx';
import { SiteIcon } from '../components/SiteIcon.tsx';
import { Address } from '../school/Address.tsx';
import { mailLink } from '../school/links.ts';
import { Each, When } from '../template.tsx';

export function ContactInformation({ school }: { school: School }) {
  return (
    <section className="card" aria-labelledby="contact-information">
      <h2 id="contact-information">Contact Information</h2>
      <dl className="grid reach">
        <When is={school.mapLink} template="school.mapLink">
          <Reach icon="pin" term="Address"><Address school={school} /></Reach>
        </When>
        <When is={school.phone} template="school.phone">
          <Reach icon="phone" term="Phone"><a href={school.phoneLink}>{school.phone}</a></Reach>
        </When>
        <When is={school.email} template="school.email">
          <Reach icon="mail" term="Email"><a href={mailLink(school.email)}>{school.email}</a></Reach>
        </When>
        <When is={school.hours} template="school.hours">
          <Reach icon="clock" term="Office hours">{school.hours}</Reach>
        </When>
        <When is={school.socialLinks.length > 0} template="school.socialLinks">
          <Reach icon="globe" term="Follow us">
            <ul className="cluster">
              <Each of={school.socialLinks} template="link in school.socialLinks">
                {({ name, url }) => <li key={url}><a href={url} rel="noopener">{name}</a></li>}
              </Each>
            </ul>
          </Reach>
        </When>
      </dl>
    </section>
  );
}

function Reach({ icon, term, children }: { icon: SchoolIconName; term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="cluster"><SchoolIcon name={icon} /><span>{` ${term}`}</span></dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A link to a map: an embedded one would load content from elsewhere. */
export function Location({ school }: { school: School }) {
  return (
    <When is={school.mapLink} template="school.mapLink">
      <section className="card beside location" aria-labelledby="location">
        <h2 id="location">Location</h2>
        <span className="medallion"><SchoolIcon name="pin" /></span>
        <p className="serif">{school.name}</p>
        <Address school={school} />
        <a className="card-link" href={school.mapLink} rel="noopener">
          Open the map on OpenStreetMap <SiteIcon name="external" />
        </a>
      </section>
    </When>
  );
}
