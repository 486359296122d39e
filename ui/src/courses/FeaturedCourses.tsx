// Three courses of the catalogue for the home page.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Icon } from '../components/Icon.tsx';
import { paths } from '../paths.ts';
import { featuredCourses } from './catalogue.ts';
import { CourseCard, CourseSkeletons } from './CourseCard.tsx';
import { coursesQuery } from './queries.ts';

export function FeaturedCourses() {
  const courses = useQuery(coursesQuery);
  const featured = featuredCourses(courses.data ?? []);

  return (
    <section className="wrap band" aria-labelledby="featured">
      <div className="row band-head">
        <div>
          <p className="eyebrow">From the catalogue</p>
          <h2 id="featured">Featured Courses</h2>
        </div>
        <Link className="card-link" to={paths.courses()}>
          View All Courses <Icon name="arrow" />
        </Link>
      </div>
      {courses.isPending && <CourseSkeletons count={3} />}
      {featured.length > 0 && (
        <ul className="grid cards">
          {featured.map((course) => <CourseCard key={course.id} course={course} isAmongGrades />)}
        </ul>
      )}
      {/* A failure to load is not shown separately (section 2): the catalogue says it. */}
      {!courses.isPending && featured.length === 0 && (
        <p>Credit courses for Grades 9 to 12 are listed in the catalogue.</p>
      )}
    </section>
  );
}
