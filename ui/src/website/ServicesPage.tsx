// The Services page: four services and a closing encouragement.
import { Link } from 'react-router';
import { PageHeader } from '../components/PageHeader.tsx';
import { SchoolIcon, type SchoolIconName } from '../components/SchoolIcon.tsx';
import { SiteIcon } from '../components/SiteIcon.tsx';
import { paths } from '../paths.ts';
import '../components/bands.css';
import './sections.css';
import './ServicesPage.css';

type Service = {
  icon: SchoolIconName;
  title: string;
  text: string;
  points: string[];
  link: { to: string; label: string };
};

const consultation = [
  'A look at the transcript and the credits still missing',
  'A course plan up to the diploma',
  'Advice for families new to Ontario’s schools',
];

const services: Service[] = [
  {
    icon: 'book',
    title: 'Credit Courses',
    text: 'Courses for Grades 9 to 12 that count toward the Ontario Secondary School Diploma, taught live by Ontario-certified teachers.',
    points: [
      '110 hours of instruction over a Fall, Winter or Spring semester',
      'Late enrollment with catch-up support',
      'Shorter upgrade courses at reduced fees',
    ],
    link: { to: paths.courses(), label: 'Browse the courses' },
  },
  {
    icon: 'cap',
    title: 'University Application Support',
    text: 'Help from choosing programs to sending the last document, for universities in Ontario, elsewhere in Canada and abroad.',
    points: [
      'Programs and their required Grade 12 courses',
      'Personal statements and supplementary forms',
      'A calendar of deadlines, and reminders before them',
    ],
    link: { to: paths.contact('admission'), label: 'Ask about applications' },
  },
  {
    icon: 'pencil',
    title: 'Tutoring',
    text: 'One teacher, one student, for the Ontario curriculum and for the International Baccalaureate at standard level (SL) and higher level (HL).',
    points: [
      'Regular lessons, or a few before an examination',
      'Ontario courses from Grade 9 to Grade 12',
      'IB subjects at SL and HL',
    ],
    link: { to: paths.contact('general'), label: 'Find a tutor' },
  },
];

export function ServicesPage() {
  return (
    <>
      <PageHeader eyebrow="What we offer" title="Our Services">
        From a first question to the last university form: four ways in which we help students and their families.
      </PageHeader>
      <section className="wrap band" aria-label="Services">
        <Consultation />
        <ul className="split thirds">
          {services.map((service) => <ServiceCard key={service.title} service={service} />)}
        </ul>
      </section>
      <Encouragement />
    </>
  );
}

/** The free service comes first: most families start there. */
function Consultation() {
  return (
    <div className="card brass-edge split free">
      <div>
        <p>Free</p>
        <h2>Educational Consultation</h2>
        <p>
          One conversation about where the student stands and which courses lead to the goal. It costs nothing and
          commits you to nothing.
        </p>
        <Link className="button button-primary" to={paths.contact('general')}>Ask for a consultation</Link>
      </div>
      <Points points={consultation} />
    </div>
  );
}

function ServiceCard({ service: { icon, title, text, points, link } }: { service: Service }) {
  return (
    <li className="card stack feature service">
      <span className="medallion"><SchoolIcon name={icon} /></span>
      <h2>{title}</h2>
      <p>{text}</p>
      <Points points={points} />
      <Link className="card-link" to={link.to}>
        <span>{`${link.label} `}</span><SiteIcon name="arrow" />
      </Link>
    </li>
  );
}

function Points({ points }: { points: string[] }) {
  return (
    <ul className="ticks">
      {points.map((point) => <li key={point}>{point}</li>)}
    </ul>
  );
}

function Encouragement() {
  return (
    <section className="wrap" aria-labelledby="encouragement">
      <div className="row call navy">
        <div>
          <h2 id="encouragement">Not sure where to begin?</h2>
          <p>
            Few families are. Write us a few lines about the student, in your own words, and we will suggest a first
            step. A late start or a poor mark has never been the end of the story here.
          </p>
        </div>
        <p className="cluster">
          <Link className="button button-primary" to={paths.contact()}>Contact Us</Link>
          <Link className="button button-outline" to={paths.courses()}>Explore Courses</Link>
        </p>
      </div>
    </section>
  );
}
