import { rerankingServer } from './driver.ts';

export default rerankingServer('cohere');
