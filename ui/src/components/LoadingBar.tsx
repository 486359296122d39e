// A thin bar at the top while a slow page loads.
import { useNavigation } from 'react-router';
import './LoadingBar.css';

export function LoadingBar() {
  const isLoading = useNavigation().state !== 'idle';
  return isLoading && <div className="loading-bar" role="progressbar" aria-label="Loading the page" />;
}
