// Three courses of the catalogue for the home page.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Featured } from '../api-types.ts';
import { SiteIcon } from '../components/SiteIcon.tsx';
import { paths } from '../paths.ts';
import { Each, When } from '../template.tsx';
import { featuredCourses } from './catalogue.ts';
import { CourseCard } from './CourseCard.tsx';
import { CourseSkeletons } from './CourseSkeletons.tsx';
import { coursesQuery } from './queries.ts';

/** Embedded in the home page; after a navigation, taken from the catalogue. */
export const featuredQuery = queryOptions({
  queryKey: ['featured'],
  queryFn: async ({ client }): Promise<Featured> => {
    const courses = await client.fetchQuery(coursesQuery);
    return { courses: featuredCourses(courses), total: courses.length };
  },
  meta: coursesQuery.meta,
});

export function FeaturedCourses() {
  const courses = useQuery(featuredQuery);
  const featured = courses.data?.courses ?? [];

  return (
    <section className="wrap band" aria-labelledby="featured">
      <div className="row band-head">
        <div>
          <p className="eyebrow">From the catalogue</p>
          <h2 id="featured">Featured Courses</h2>
        </div>
        <Link className="card-link" to={paths.courses()}>
          View All Courses <SiteIcon name="arrow" />
        </Link>
      </div>
      {courses.isPending && <CourseSkeletons count={3} list="split offers thirds" />}
      {!courses.isPending && (
        // A failure to load is not shown separately (section 2): the catalogue says it.
        <When
          is={featured.length > 0}
          template="courses"
          otherwise={<p>Credit courses for Grades 9 to 12 are listed in the catalogue.</p>}
        >
          <ul className="split offers thirds">
            <Each of={featured} template="course in courses">
              {(course) => <CourseCard key={course.id} course={course} isAmongGrades />}
            </Each>
          </ul>
        </When>
      )}
    </section>
  );
}
