// The public footer (section 2): links, programs by grade, contact and the school's numbers.
import { Link } from 'react-router';
import type { School } from '../api-types.ts';
import { grades } from '../courses/grades.ts';
import { paths } from '../paths.ts';
import { Address } from '../school/Address.tsx';
import { mailLink } from '../school/links.ts';
import { Each, When } from '../template.tsx';
import { Brand } from './Header.tsx';
import './Footer.css';

export function Footer({ school }: { school: School }) {
  return (
    <footer className="site-footer plain-links navy">
      <div className="wrap footer-columns">
        <div>
          <Brand school={school} />
          <p>
            <span>Inspected by the Ministry of Education and authorised to grant credits toward the Ontario Secondary School Diploma.</span>
            <When is={school.foundedYear} template="school.foundedYear">
              <span>{` Teaching since ${school.foundedYear}.`}</span>
            </When>
          </p>
        </div>
        <nav aria-labelledby="footer-links">
          <h2 id="footer-links">Quick Links</h2>
          <ul>
            <li><Link to={paths.home}>Home</Link></li>
            <li><Link to={paths.about}>About Us</Link></li>
            <li><Link to={paths.services}>Our Services</Link></li>
            <li><Link to={paths.contact()}>Contact</Link></li>
          </ul>
        </nav>
        <nav aria-labelledby="footer-programs">
          <h2 id="footer-programs">Programs</h2>
          <ul>
            {grades.map((grade) => (
              <li key={grade}><Link to={paths.courses(grade)}>{`Grade ${grade} courses`}</Link></li>
            ))}
          </ul>
        </nav>
        <FooterContact school={school} />
      </div>
      <div className="wrap row footer-base">
        <p className="cluster">
          <When is={school.registrationNumber} template="school.registrationNumber">
            <span>{`School registration no. ${school.registrationNumber}`}</span>
          </When>
          <When is={school.inspectionId} template="school.inspectionId">
            <span>{`Inspection ID BSID-${school.inspectionId}`}</span>
          </When>
        </p>
        <ul className="cluster">
          <Each of={school.texts} template="each in texts">
            {({ url, title }) => <li key={url}><Link to={url}>{title}</Link></li>}
          </Each>
          <li><Link to={paths.adminLogin}>Admin Login</Link></li>
        </ul>
      </div>
    </footer>
  );
}

function FooterContact({ school }: { school: School }) {
  return (
    <section aria-labelledby="footer-contact">
      <h2 id="footer-contact">Visit or Call</h2>
      <Address school={school} />
      <ul>
        <When is={school.phone} template="school.phone">
          <li><a href={school.phoneLink}>{school.phone}</a></li>
        </When>
        <When is={school.email} template="school.email">
          <li><a href={mailLink(school.email)}>{school.email}</a></li>
        </When>
      </ul>
      <p>{school.hours}</p>
    </section>
  );
}
