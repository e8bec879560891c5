import { rerankingServer } from './driver.ts';

export default rerankingServer('jina');
