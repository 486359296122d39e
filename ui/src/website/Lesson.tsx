// A drawn lesson for schools without pictures: the teacher, the board and six students, in the school's colours and with
// a course of its catalogue. The drawing is decorative; heading and text describe it.
import { useQuery } from '@tanstack/react-query';
import { levelText } from '../courses/catalogue.ts';
import { featuredQuery } from '../courses/FeaturedCourses.tsx';
import { Each, When } from '../template.tsx';
import './Lesson.css';

/** SVG paths in a view box of 80 × 60. `back` and `front` are hair; `hand` is filled as skin, `lines` are strokes. */
type Sketch = { label: string; back?: string; front: string; hand?: string; lines?: string };

const glasses = 'M32.5 24.5a3.2 3.2 0 1 0 6.4 0 3.2 3.2 0 1 0-6.4 0M41.1 24.5a3.2 3.2 0 1 0 6.4 0 3.2 3.2 0 1 0-6.4 0M38.9 24h2.2';

const short = 'M30.5 23c-1-9 3-14 10-14s11 5 9 14c-2-5-5-6-9-6s-8 1-10 6z';

const teacher: Sketch = {
  label: 'Teacher',
  back: 'M28 36c-2-17 2-28 12-28s14 11 12 28c-5 4-19 4-24 0z',
  front: 'M30.5 24c0-8 4-11 7-11 2 4 8 6 12.5 7 1-8-4-12-9.5-12s-12 4-10 16z',
  hand: 'M44.5 40 40 51l-4.5-11z',
  lines: glasses,
};

const students: Sketch[] = [
  { label: 'AK', front: 'M30.5 25c-3-12 4-17 10-16 7-1 11 5 9 16-1-5-2-7-4-8-4 1-9 1-12 0-2 2-3 4-3 8z' },
  { label: 'MO', front: 'M29 25a5 5 0 0 1 0-9 6 6 0 0 1 7-7 7 7 0 0 1 10 1 6 6 0 0 1 5 7 5 5 0 0 1-.5 8c-1-6-4-9-10.5-9s-10 3-11 9z' },
  { label: 'SR', back: 'M27 42c-1-20 1-34 13-34s14 14 13 34z', front: 'M29.5 26c0-11 4-15 10.5-15s10.5 4 10.5 15c-4-2-8-5-10-8-2 3-6 6-11 8z', hand: 'M58 60c1-8 0-14-1-20-1-5 0-9 1.5-9s1.5 3 1.5 3-1-8 1-8 2 7 2 7 0-8 2-8 1.5 8 1.5 8 .5-6 2-6 1.5 6 1 10l2-2c2-1 2.5 1 1 3l-4 7c-1 5-1 10 0 15z' },
  { label: 'JT', front: short, lines: glasses },
  { label: 'NH', back: 'M26 46c-2-22 1-39 14-39s16 17 14 39z', front: 'M30 30c-3-14 3-20 10-20s13 6 10 20c0-9-4-14-10-14s-10 5-10 14z' },
  { label: 'EC', back: 'M40 2a5 5 0 1 0 0 10 5 5 0 1 0 0-10z', front: short },
];

export function Lesson() {
  const { data } = useQuery(featuredQuery);
  return (
    <section className="band band-tint screen-only" aria-labelledby="lesson">
      <div className="wrap">
        <div className="row band-head">
          <div>
            <p className="eyebrow">A look inside</p>
            <h2 id="lesson">A Class, Live</h2>
          </div>
          <p className="muted">The teacher, the board and every classmate in one window. Put up a hand, and you are answered.</p>
        </div>
        <div className="lesson navy" aria-hidden="true">
          <div className="board">
            <small>● Live</small>
            <When is={data?.courses.length} template="courses" otherwise={<p><b>OSSD</b>Ontario credit courses</p>}>
              <Each of={data?.courses.slice(-1) ?? []} template="course in courses[-1:]">
                {(course) => (
                  <div key={course.code}>
                    <p><b>{course.code}</b><span>{course.name}</span><span>{levelText(course)}</span></p>
                    <p className="clamp">{course.description}</p>
                  </div>
                )}
              </Each>
            </When>
          </div>
          {[teacher, ...students].map((sketch) => <Person key={sketch.label} {...sketch} />)}
        </div>
      </div>
    </section>
  );
}

function Person({ label, back, front, hand = '', lines = '' }: Sketch) {
  return (
    <div>
      <svg viewBox="0 0 80 60" preserveAspectRatio="xMidYMax slice" focusable="false">
        {back && <path d={back} />}
        <path className="lesson-top" d="M12 60c1-14 11-19 28-19s27 5 28 19z" />
        <path className="lesson-skin" d={`M35.5 32h9v9c-2 3-7 3-9 0zM40 13c6 0 9.5 4 9.5 11S45 37 40 37s-9.5-6-9.5-13S34 13 40 13z${hand}`} />
        <path d={front} />
        <path className="lesson-line" d={`M36 24.5v.01M44 24.5v.01M36.5 30q3.5 3 7 0${lines}`} />
      </svg>
      <small>{label}</small>
    </div>
  );
}
