// The two cards beside the contact form: how to reach the school, and where it is.
import type { ReactNode } from 'react';
import type { School } from '../api-types.ts';
import { SiteIcon, type SiteIconName } from '../components/SiteIcon.tsx';
import { mailLink } from '../school/links.ts';
import { Each, When } from '../template.tsx';

export function ContactInformation({ school }: { school: School }) {
  return (
    <section className="card" aria-labelledby="contact-information">
      <h2 id="contact-information">Contact Information</h2>
      <dl className="stack reach">
        <Reach icon="pin" term="Address"><Address school={school} /></Reach>
        <Reach icon="phone" term="Phone"><a href={school.phoneLink}>{school.phone}</a></Reach>
        <Reach icon="mail" term="Email"><a href={mailLink(school.email)}>{school.email}</a></Reach>
        <Reach icon="clock" term="Office hours">{school.hours}</Reach>
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

function Reach({ icon, term, children }: { icon: SiteIconName; term: string; children: ReactNode }) {
  return (
    <div>
      <dt><SiteIcon name={icon} /> {term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A link to a map instead of an embedded one: nothing is loaded from elsewhere. */
export function Location({ school }: { school: School }) {
  return (
    <section className="card" aria-labelledby="location">
      <h2 id="location">Location</h2>
      <Streets />
      <Address school={school} />
      <a className="card-link" href={school.mapLink} rel="noopener">
        Open the map on OpenStreetMap <SiteIcon name="external" />
      </a>
    </section>
  );
}

function Address({ school }: { school: School }) {
  return (
    <address>
      {school.address.street}
      <br />
      {school.address.city}, {school.address.province} {school.address.postalCode}
    </address>
  );
}

/** A drawn street plan. It shows no real place, only that this card is about one. */
function Streets() {
  return (
    <svg className="streets screen-only" viewBox="0 0 400 130" aria-hidden="true" focusable="false" preserveAspectRatio="xMidYMid slice">
      <path d="M-10 22h420M-10 104l420-14M58-10l14 150M126-10l8 150M262-10l-10 150M330-10l-22 150" />
      <path d="M-10 70 200 58l210-26M196-10l-6 150" />
      <path d="M194 66c9-10 14-18 14-25a14 14 0 1 0-28 0c0 7 5 15 14 25Z" />
      <circle cx="194" cy="41" r="5" />
    </svg>
  );
}
