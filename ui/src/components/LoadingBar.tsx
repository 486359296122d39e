// A thin line on top while the next page is on its way; only a slow one is long enough to show it.
import { useNavigation } from 'react-router';
import './LoadingBar.css';

export function LoadingBar() {
  const isLoading = useNavigation().state !== 'idle';
  return isLoading && <div className="loading-bar" role="progressbar" aria-label="Loading the page" />;
}
