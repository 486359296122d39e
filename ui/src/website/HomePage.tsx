// The home page: hero, a look inside, features, approach, featured courses, enrolling and next steps. Without the
// school's own pictures it shows a seal and a drawn lesson.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { School } from '../api-types.ts';
import { FeaturedCourses, featuredQuery } from '../courses/FeaturedCourses.tsx';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { Each, isTemplate, When } from '../template.tsx';
import { Enrolling } from './Enrolling.tsx';
import { Lesson } from './Lesson.tsx';
import { Photo } from './Photo.tsx';
import { Questions } from './Questions.tsx';
import { Seal } from './Seal.tsx';
import '../components/bands.css';
import './sections.css';
import './HomePage.css';

export function HomePage() {
  const school = useSchool();
  return (
    <>
      <Hero school={school} />
      <Campus school={school} />
      <Features school={school} />
      <Approach />
      <FeaturedCourses />
      <Enrolling />
      <Universities school={school} />
      <Questions school={school} />
      <ClosingCall />
    </>
  );
}

const facts = [
  { fact: '110 hours', meaning: 'Instruction per course' },
  { fact: 'Fall, Winter, Spring', meaning: 'Three semesters a year' },
  { fact: 'Grades 9 to 12', meaning: 'Toward the diploma' },
];

function Hero({ school }: { school: School }) {
  const { hero } = school.pictures;
  return (
    <section className="hero engraved navy">
      <div className="wrap split hero-main">
        <div>
          <p className="eyebrow">
            <span>Grades 9 to 12 · OSSD credits</span>
            <When is={school.foundedYear} template="school.foundedYear">
              <span>{` · Since ${school.foundedYear}`}</span>
            </When>
          </p>
          <h1>Ontario high school credits, taught live by certified teachers</h1>
          <p className="lead">
            {`${school.name} is an inspected private secondary school. Students in Ontario, across Canada and abroad study with us for their diploma, for one missing credit, or for a stronger mark.`}
          </p>
          <p className="cluster">
            <Link className="button button-primary" to={paths.courses()}>Explore Courses</Link>
            <Link className="button button-outline" to={paths.about}>
              Learn More<span className="sr-only">{` about ${school.name}`}</span>
            </Link>
          </p>
          <NextSemester school={school} />
        </div>
        <When is={hero} template="school.pictures.hero" otherwise={<Seal />}>
          {/* In a `picture` it is loaded by its own address; React would ask for it in the template's words. */}
          {hero && <picture><Photo picture={hero} sizes="(max-width: 40rem) 100vw, 50vw" isFirst /></picture>}
        </When>
      </div>
      <dl className="wrap hero-facts">
        {facts.map(({ fact, meaning }) => (
          <div key={fact}>
            <dt>{meaning}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
        <When is={school.yearsOfTeaching} template="school.yearsOfTeaching">
          <div>
            <dt>Of excellence</dt>
            <dd>{`${school.yearsOfTeaching}+ years`}</dd>
          </div>
        </When>
      </dl>
    </section>
  );
}

function NextSemester({ school: { semesters: [next] } }: { school: School }) {
  return (
    <When is={next} template="school.semesters">
      <p className="cluster hero-next">
        <strong>{next?.name}</strong> <span>{next?.whenText}</span>
      </p>
    </When>
  );
}

const features = [
  {
    title: 'Accredited Curriculum',
    text: 'The Ontario curriculum, from a school that is inspected by the Ministry of Education and authorised to grant credits toward the Ontario Secondary School Diploma.',
  },
  {
    title: 'Experienced Faculty',
    text: 'Every course is taught by an Ontario-certified teacher who knows the subject, knows the students by name, and is there to answer at a fixed hour.',
  },
  {
    title: 'University Pathways',
    text: 'Course planning from Grade 9 and help with every application, so that the credits a student earns are the ones a university asks for.',
  },
];

function Features({ school }: { school: School }) {
  return (
    <section className="wrap band" aria-label="Why families choose us">
      <Proof school={school} />
      <ul className="split thirds">
        {features.map(({ title, text }) => (
          <li className="card" key={title}>
            <h2>{title}</h2>
            <p className="muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The school's figures, as far as they are known; each links to the page with the details. */
function Proof({ school: { universities, foundedYear } }: { school: School }) {
  const { data, isError } = useQuery(featuredQuery);
  return (
    <div className="split proof">
      <p className="serif">Taught live, so that a question is answered while it is still a question.</p>
      <ul>
        <When is={!isError && data?.total !== 0} template="offered">
          <li><Link to={paths.courses()}><strong>{data?.total ?? '…'}</strong> <span>Courses in the catalogue</span></Link></li>
        </When>
        <When is={universities.length > 0} template="universities">
          <li><Link to={`${paths.about}#universities`}><strong>{isTemplate ? '{{ universities }}' : universities.length}</strong> <span>Universities that accepted our graduates</span></Link></li>
        </When>
        <When is={foundedYear} template="school.foundedYear">
          <li><Link to={paths.about}><strong>{foundedYear}</strong> <span>The year we opened</span></Link></li>
        </When>
      </ul>
    </div>
  );
}

function Campus({ school: { pictures: { campus } } }: { school: School }) {
  return (
    <When is={campus.length > 0} template="school.pictures.campus" otherwise={<Lesson />}>
      <section className="wrap band" aria-labelledby="campus">
        <p className="eyebrow">A look inside</p>
        <h2 id="campus">Around the School</h2>
        <ul className="campus">
          <Each of={campus} template="picture in school.pictures.campus">
            {(picture) => <li key={picture.src}><Photo picture={picture} sizes="(max-width: 54rem) 50vw, 36rem" /></li>}
          </Each>
        </ul>
      </section>
    </When>
  );
}

const approach = [
  {
    title: 'Synchronous Teaching',
    text: 'Classes are live, on a fixed schedule. Students see their teacher and their classmates, ask questions and get answers on the spot.',
  },
  {
    title: 'Complete Instruction',
    text: 'Each course has its full 110 hours of instruction, delivered over a Fall, Winter or Spring semester.',
  },
  {
    title: 'Late Enrollment Support',
    text: 'Students may join after the start date. They receive catch-up support for the lessons they missed.',
  },
  {
    title: 'Upgrade Courses',
    text: 'Shorter repeat courses at reduced fees, for students who have the credit and want a better mark.',
  },
];

function Approach() {
  return (
    <section className="band band-tint" aria-labelledby="approach">
      <div className="wrap split">
        <div>
          <p className="eyebrow">How we teach</p>
          <h2 id="approach">Our Educational Approach</h2>
          <p className="lead">
            A real timetable, a real teacher, and time to ask. The rules are the same for every course in the
            catalogue.
          </p>
        </div>
        <ul className="grid points">
          {approach.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p className="muted">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Universities({ school: { universities } }: { school: School }) {
  return (
    <When is={universities.length > 0} template="school.universities">
      <section className="wrap band accepted" aria-label="Universities">
        <p className="eyebrow">Where our graduates were accepted</p>
        <ul className="cluster">
          <Each of={universities} template="university in school.universities">
            {(university) => <li key={university}>{university}</li>}
          </Each>
        </ul>
      </section>
    </When>
  );
}

function ClosingCall() {
  return (
    <section className="wrap" aria-labelledby="closing-call">
      <div className="row call navy">
        <div>
          <h2 id="closing-call">Talk to us about your plan</h2>
          <p>Tell us where you are and where you want to go. The first educational consultation is free.</p>
        </div>
        <p className="cluster">
          <Link className="button button-primary" to={paths.apply}>Apply Now</Link>
          <Link className="button button-outline" to={paths.contact()}>Contact Us</Link>
        </p>
      </div>
    </section>
  );
}
