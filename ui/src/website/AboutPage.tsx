// The About page: mission, milestones, values, people, accreditation and universities.
import { Link } from 'react-router';
import type { School } from '../api-types.ts';
import { PageHeader } from '../components/PageHeader.tsx';
import { SchoolIcon, type SchoolIconName } from '../components/SchoolIcon.tsx';
import { SiteIcon } from '../components/SiteIcon.tsx';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { Each, When } from '../template.tsx';
import { Photo } from './Photo.tsx';
import '../components/bands.css';
import './sections.css';
import './AboutPage.css';

export function AboutPage() {
  const school = useSchool();
  return (
    <>
      <PageHeader
        eyebrow={
          <When is={school.foundedYear} template="school.foundedYear" otherwise={<span>Our school</span>}>
            <span>{`Since ${school.foundedYear}`}</span>
          </When>
        }
        title="About Us"
      >
        {`${school.name} teaches Ontario secondary school courses live, on a fixed timetable, to students at home and abroad.`}
      </PageHeader>
      <Mission school={school} />
      <Values />
      <People school={school} />
      <Accreditation school={school} />
      <Universities school={school} />
    </>
  );
}

function Mission({ school }: { school: School }) {
  return (
    <section className="wrap band" aria-labelledby="mission">
      <div className="split split-even">
        <div>
          <p className="eyebrow">Why we are here</p>
          <h2 id="mission">Our Mission</h2>
          <p className="serif statement">
            To give every student a demanding Ontario education, taught by people who notice when something is not
            understood.
          </p>
        </div>
        <div>
          <p>
            <When is={school.foundedYear} template="school.foundedYear" otherwise={<span>{`${school.name} is here `}</span>}>
              <span>{`${school.name} opened in ${school.foundedYear} `}</span>
            </When>
            <span>
              for students who do not fit an ordinary timetable: some live far from a school that offers the course they
              need, some move to Canada in the middle of a year, and some simply learn better in a smaller room.
            </span>
          </p>
          <p>
            We teach in real time because we believe that a question should be answered while it is still a question.
            Our teachers are certified in Ontario, our courses follow the Ontario curriculum, and our marks stand for
            work that the student has done and can explain.
          </p>
        </div>
      </div>
      <Years school={school} />
    </section>
  );
}

/** Milestones that are true for every school. */
function Years({ school: { foundedYear, yearsOfTeaching } }: { school: School }) {
  return (
    <ol className="stations milestones">
      <When is={foundedYear} template="school.foundedYear">
        <li>
          <h3>{foundedYear}</h3>
          <p className="muted">We open, for students who do not fit an ordinary timetable.</p>
        </li>
      </When>
      <li>
        <h3>Every year</h3>
        <p className="muted">Three semesters: Fall, Winter and Spring.</p>
      </li>
      <When is={yearsOfTeaching} template="school.yearsOfTeaching">
        <li>
          <h3>{`${yearsOfTeaching}+ years`}</h3>
          <p className="muted">Of teaching in real time, by teachers certified in Ontario.</p>
        </li>
      </When>
      <li>
        <h3>Today</h3>
        <p className="muted">Grades 9 to 12, for students at home and abroad.</p>
      </li>
    </ol>
  );
}

const values: { icon: SchoolIconName; title: string; text: string }[] = [
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
    text: 'A student may join from any city and any country. What each of them has seen is part of the lesson, and the world they are preparing for is wider than any one of them.',
  },
];

function Values() {
  return (
    <section className="band band-tint" aria-labelledby="values">
      <div className="wrap">
        <p className="eyebrow">What we hold to</p>
        <h2 id="values">Our Values</h2>
        <ul className="split thirds">
          {values.map(({ icon, title, text }) => (
            <li className="card feature" key={title}>
              <span className="medallion"><SchoolIcon name={icon} /></span>
              <h3>{title}</h3>
              <p className="muted">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function People({ school: { pictures: { people } } }: { school: School }) {
  return (
    <When is={people.length > 0} template="school.pictures.people">
      <section className="wrap band" aria-labelledby="people">
        <p className="eyebrow">Who you’ll meet</p>
        <h2 id="people">Our People</h2>
        <ul className="people">
          <Each of={people} template="person in school.pictures.people">
            {({ name, role, picture }) => (
              <li key={picture.src}>
                <Photo picture={picture} sizes="(max-width: 40rem) 50vw, 18rem" />
                <h3>{name}</h3>
                <p className="muted">{role}</p>
              </li>
            )}
          </Each>
        </ul>
      </section>
    </When>
  );
}

/** The ministry's list of private schools. */
const ministryList = 'https://data.ontario.ca/dataset/private-school-contact-information';

function Accreditation({ school }: { school: School }) {
  return (
    <section className="wrap band split accreditation" aria-labelledby="accreditation">
      <div>
        <p className="eyebrow">Credits that count</p>
        <h2 id="accreditation">Accreditation</h2>
        <p>
          {`${school.name} is an inspected private school: it is inspected by the Ministry of Education and authorised to grant credits toward the Ontario Secondary School Diploma (OSSD). Credits earned here are recorded on the student’s Ontario transcript and count in the same way as credits from any other inspected school.`}
        </p>
        <p>
          The ministry inspects private schools that offer credits; it does not rank or endorse them. We invite families
          to look us up by number, and to ask us anything about our inspection.
        </p>
      </div>
      <div className="card brass-edge">
        <dl>
          <When is={school.inspectionId} template="school.inspectionId">
            <div>
              <dt>Inspection ID</dt>
              <dd>{`BSID-${school.inspectionId}`}</dd>
            </div>
          </When>
          <When is={school.registrationNumber} template="school.registrationNumber">
            <div>
              <dt>School registration number</dt>
              <dd>{school.registrationNumber}</dd>
            </div>
          </When>
        </dl>
        <a className="card-link" href={ministryList} rel="noopener">
          Look us up in the ministry’s list <SiteIcon name="external" />
        </a>
      </div>
    </section>
  );
}

function Universities({ school: { universities } }: { school: School }) {
  return (
    <When is={universities.length > 0} template="school.universities">
      <section className="band band-tint" aria-labelledby="universities">
        <div className="wrap">
          <div className="row band-head">
            <div>
              <p className="eyebrow">After graduation</p>
              <h2 id="universities">Where Our Graduates Were Accepted</h2>
            </div>
            <p>
              Universities that have offered places to our graduates.{' '}
              <Link to={paths.services}>See how we help with applications</Link>.
            </p>
          </div>
          <ul className="grid serif universities">
            <Each of={universities} template="university in school.universities">
              {(university) => <li key={university}>{university}</li>}
            </Each>
          </ul>
        </div>
      </section>
    </When>
  );
}
