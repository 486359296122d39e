// About the school: mission, values, accreditation, and where graduates were accepted.
import { Link } from 'react-router';
import type { School } from '../api-types.ts';
import { SiteIcon, type SiteIconName } from '../components/SiteIcon.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { paths } from '../paths.ts';
import { Each } from '../template.tsx';
import { useSchool } from './queries.ts';
import './bands.css';
import './AboutPage.css';

export function AboutPage() {
  const school = useSchool();
  return (
    <>
      <PageHeader eyebrow={`Since ${school.foundedYear}`} title="About Us">
        {school.name} teaches Ontario secondary school courses live, on a fixed timetable, to students at home and
        abroad.
      </PageHeader>
      <Mission school={school} />
      <Values />
      <Accreditation school={school} />
      <Universities school={school} />
    </>
  );
}

function Mission({ school }: { school: School }) {
  return (
    <section className="wrap band split" aria-labelledby="mission">
      <div>
        <p className="eyebrow">Why we are here</p>
        <h2 id="mission">Our Mission</h2>
      </div>
      <div className="prose">
        <p className="lead">
          To give every student a demanding Ontario education, taught by people who notice when something is not
          understood.
        </p>
        <p>
          {school.name} opened in {school.foundedYear} for students whom an ordinary timetable did not fit: some lived
          far from a school that offered the course they needed, some had moved to Canada in the middle of a year, and
          some simply learned better in a smaller room. They are still the students we have in mind.
        </p>
        <p>
          We teach in real time because we believe that a question should be answered while it is still a question.
          Our teachers are certified in Ontario, our courses follow the Ontario curriculum, and our marks stand for
          work that the student has done and can explain.
        </p>
      </div>
    </section>
  );
}

const values: { icon: SiteIconName; title: string; text: string }[] = [
  {
    icon: 'book',
    title: 'Academic Excellence',
    text: 'We expect careful reading, clear writing and honest reasoning, and we give students the instruction, the practice and the comments it takes to reach them.',
  },
  {
    icon: 'rise',
    title: 'Personal Growth',
    text: 'A good course leaves a student better organised and more sure of their own voice. We praise effort, and we speak plainly about what comes next.',
  },
  {
    icon: 'globe',
    title: 'Global Perspective',
    text: 'Our students join from many cities and several countries. Their experience is part of the lesson, and the world they are preparing for is wider than any one of them.',
  },
];

function Values() {
  return (
    <section className="band band-tint" aria-labelledby="values">
      <div className="wrap">
        <p className="eyebrow">What we hold to</p>
        <h2 id="values">Our Values</h2>
        <ul className="grid cards">
          {values.map(({ icon, title, text }) => (
            <li className="card feature" key={title}>
              <span className="medallion"><SiteIcon name={icon} /></span>
              <h3>{title}</h3>
              <p className="muted">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Accreditation({ school }: { school: School }) {
  return (
    <section className="wrap band split" aria-labelledby="accreditation">
      <div>
        <p className="eyebrow">Credits that count</p>
        <h2 id="accreditation">Accreditation</h2>
      </div>
      <div className="prose">
        <p>
          {school.name} is an inspected private school: it is inspected by the Ministry of Education and authorised to
          grant credits toward the Ontario Secondary School Diploma (OSSD). Credits earned here are recorded on the
          student’s Ontario transcript and count in the same way as credits from any other inspected school.
        </p>
        <p>
          The ministry inspects private schools that offer credits; it does not rank or endorse them. We invite families
          to look us up by number, and to ask us anything about our inspection.
        </p>
        <dl className="cluster numbers">
          <div>
            <dt>Inspection ID</dt>
            <dd>BSID-{school.inspectionId}</dd>
          </div>
          <div>
            <dt>School registration number</dt>
            <dd>{school.registrationNumber}</dd>
          </div>
        </dl>
      </div>
    </section>
  );
}

function Universities({ school }: { school: School }) {
  return (
    <section className="band band-tint" aria-labelledby="universities">
      <div className="wrap split">
        <div>
          <p className="eyebrow">After graduation</p>
          <h2 id="universities">Where Our Graduates Were Accepted</h2>
          <p>
            Universities that have offered places to our graduates.{' '}
            <Link to={paths.services}>See how we help with applications</Link>.
          </p>
        </div>
        <ul className="universities">
          <Each of={school.universities} template="university in school.universities">
            {(university) => <li key={university}>{university}</li>}
          </Each>
        </ul>
      </div>
    </section>
  );
}
