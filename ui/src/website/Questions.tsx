// The school's questions and answers, if it has any.
import { Link } from 'react-router';
import type { School } from '../api-types.ts';
import { SiteIcon } from '../components/SiteIcon.tsx';
import { paths } from '../paths.ts';
import { Each, When } from '../template.tsx';

export function Questions({ school: { questions } }: { school: School }) {
  return (
    <When is={questions.length > 0} template="school.questions">
      <section className="band band-tint" aria-labelledby="questions">
        <div className="wrap split">
          <div>
            <p className="eyebrow">Before you ask</p>
            <h2 id="questions">Questions and Answers</h2>
            <p className="lead">Something else? The office answers every message.</p>
            <Link className="card-link" to={paths.contact('general')}>
              Ask a Question <SiteIcon name="arrow" />
            </Link>
          </div>
          <div className="questions">
            <Each of={questions} template="each in school.questions">
              {({ question, answer }) => (
                <details key={question}>
                  <summary><span>{question}</span><SiteIcon name="chevron" /></summary>
                  <p className="written">{answer}</p>
                </details>
              )}
            </Each>
          </div>
        </div>
      </section>
    </When>
  );
}
